"""Verifies webhooks with PyJWT: pip install "PyJWT[crypto]"."""

import hashlib
import hmac
import json
import time

import jwt

from key_set import KeySet, fetch_key_set

OLDEST_SECONDS = 300
AHEAD_SECONDS = 60
CLAIMS = ["iss", "iat", "jti", "request_body_sha256"]


class InvalidWebhook(Exception):
    """The request did not come from the service, or not like this, or not now."""


class WebhookVerifier:
    """`base_url` is the address of the service, without a slash at its end.

    With `app_id` or `environment` events of other apps, or of the other environment, are refused.
    """

    def __init__(self, base_url, fetch_keys=None, now=time.time, app_id=None, environment=None):
        self._base_url = base_url
        self._app_id = app_id
        self._environment = environment
        self._now = now
        self._keys = KeySet(fetch_keys or (lambda: fetch_key_set(base_url)), now)

    def verify(self, raw_body, signature):
        """Takes the raw bytes of the body and the value of `service-signature`; returns the event or raises InvalidWebhook."""
        key = self._keys.find(self._key_id(signature))
        if key is None:
            raise InvalidWebhook("unknown key")
        claims = self._claims(signature, key)
        if self._app_id is not None and claims.get("app_id") != self._app_id:
            raise InvalidWebhook("the event is of another app")
        if self._environment is not None and claims.get("environment") != self._environment:
            raise InvalidWebhook("the event is of another environment")
        if not hmac.compare_digest(str(claims["request_body_sha256"]).encode(), hashlib.sha256(raw_body).hexdigest().encode()):
            raise InvalidWebhook("the body is not the one that was signed")
        event = json.loads(raw_body)
        if event["webhook_idempotency_key"] != claims["jti"]:
            raise InvalidWebhook("the signature belongs to another event")
        return event

    @staticmethod
    def _key_id(signature):
        """Nothing but the algorithm and the id is read of the header: a key that travels with the request proves nothing."""
        if not signature:
            raise InvalidWebhook("no signature")
        try:
            header = jwt.get_unverified_header(signature)
        except jwt.InvalidTokenError as error:
            raise InvalidWebhook("the signature is not readable") from error
        if header.get("alg") != "ES256" or not isinstance(header.get("kid"), str):
            raise InvalidWebhook("the signature is not of the kind expected")
        return header["kid"]

    def _claims(self, signature, key):
        """Issuer and time as well: at most five minutes old, at most one minute in the future."""
        try:
            claims = jwt.decode(
                signature, jwt.PyJWK(key).key, algorithms=["ES256"], issuer=self._base_url, options={"require": CLAIMS, "verify_iat": False}
            )
        except jwt.InvalidTokenError as error:
            raise InvalidWebhook(f"the signature does not hold: {error}") from error
        age = self._now() - claims["iat"]
        if not -AHEAD_SECONDS <= age <= OLDEST_SECONDS:
            raise InvalidWebhook("the signature is not of now")
        return claims
