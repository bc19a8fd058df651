"""Verifying webhooks: the steps of docs/webhooks.md, in their order."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from time import monotonic, time
from typing import Any, Protocol, TypeAlias

import jwt

from .configuration import Configuration
from .errors import ConfigurationError, WebhookVerificationError
from .flows import Flow
from .models import WebhookPublicKey
from .shared_fetch import SharedFetch

KEPT_SECONDS = 3_600.0
FETCH_AGAIN_SECONDS = 300.0
MAX_AGE_SECONDS = 300.0
MAX_AHEAD_SECONDS = 60.0
COMPACT_JWT = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)


class HeaderMapping(Protocol):
    """The headers of a framework, or a dictionary."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Names and values; a name that came twice is there twice."""


Headers: TypeAlias = HeaderMapping | Iterable[tuple[str | bytes, str | bytes]]
FetchKeys = Callable[[], Flow[list[WebhookPublicKey]]]


class KeySet:
    """The public keys of the service, kept for an hour; an unknown one is looked up once in five minutes."""

    def __init__(self) -> None:
        self._keys: dict[str, WebhookPublicKey] = {}
        self._fetched_at = float("-inf")
        self._fetched_again_at = float("-inf")
        self._shared = SharedFetch("keys")

    def find(self, kid: str, fetch: FetchKeys) -> Flow[WebhookPublicKey | None]:
        """The key with that id, or None."""
        if self._is_fresh() and kid in self._keys:
            return self._keys[kid]
        yield from self._shared.run(lambda: self._refresh(fetch))
        return self._keys.get(kid)

    def _is_fresh(self) -> bool:
        return monotonic() - self._fetched_at < KEPT_SECONDS

    def _refresh(self, fetch: FetchKeys) -> Flow[None]:
        if self._is_fresh():  # The key is unknown, then.
            if monotonic() - self._fetched_again_at < FETCH_AGAIN_SECONDS:
                return
            self._fetched_again_at = monotonic()
        keys = yield from fetch()
        self._keys = {key.kid: key for key in keys if key.use == "sig"}
        self._fetched_at = monotonic()


def verified_body(
    raw_body: bytes,
    headers: Headers,
    received_at: datetime | None,
    configuration: Configuration,
    keys: KeySet,
    fetch_keys: FetchKeys,
) -> Flow[dict[str, Any]]:
    """The body of a webhook, or a WebhookVerificationError."""
    now = time() if received_at is None else _timestamp(received_at)
    signature = _only_signature(headers, f"{configuration.header_prefix}-signature")
    key = yield from keys.find(_key_id(signature), fetch_keys)
    if key is None:
        raise WebhookVerificationError("No key of the service has this id.", "unknown_key")
    claims = _claims(signature, key)
    _check_sender(claims, configuration)
    _check_time(claims, now)
    if not hmac.compare_digest(
        str(claims.get("request_body_sha256")).encode(), sha256(raw_body).hexdigest().encode()
    ):
        raise WebhookVerificationError("The body is not the one that was signed.", "wrong_body")
    return _body(raw_body, claims)


def _timestamp(received_at: datetime) -> float:
    if isinstance(received_at, datetime) and received_at.tzinfo is not None:
        return received_at.timestamp()
    raise ConfigurationError("received_at must be a datetime with a time zone.")


def _only_signature(headers: Headers, name: str) -> str:
    pairs: Iterable[tuple[str | bytes, str | bytes]]
    try:
        pairs = headers.items() if hasattr(headers, "items") else headers
        values = [_text(value) for key, value in pairs if _text(key).lower() == name.lower()]
    except (TypeError, ValueError, AttributeError):
        raise ConfigurationError("headers are a mapping, or pairs of names and values.") from None
    if values in ([], [""]):
        raise WebhookVerificationError(f"The header {name} is missing.", "no_signature")
    if len(values) > 1:
        raise WebhookVerificationError(
            f"The header {name} occurs more than once.", "malformed_signature"
        )
    return values[0]


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _key_id(signature: str) -> str:
    """Nothing else of the header is read: a key that travels with the request proves nothing."""
    header: dict[str, Any] = {}
    if COMPACT_JWT.fullmatch(signature):
        with suppress(jwt.InvalidTokenError):
            header = jwt.get_unverified_header(signature)
    kid = header.get("kid")
    if header.get("alg") != "ES256" or not isinstance(kid, str):
        raise WebhookVerificationError(
            "The signature is not a JWT with ES256.", "malformed_signature"
        )
    return kid


def _claims(signature: str, key: WebhookPublicKey) -> dict[str, Any]:
    try:
        public_key = jwt.PyJWK(key.to_wire()).key
    except jwt.PyJWTError:
        raise WebhookVerificationError(
            "The key with this id is not one of ES256.", "unknown_key"
        ) from None
    try:
        claims = json.loads(jwt.PyJWS().decode(signature, public_key, algorithms=["ES256"]))
    except (jwt.InvalidTokenError, ValueError):
        claims = None
    if not isinstance(claims, dict):
        raise WebhookVerificationError("The signature does not match.", "wrong_signature")
    return claims


def _check_sender(claims: Mapping[str, Any], configuration: Configuration) -> None:
    if claims.get("iss") != configuration.base_url:
        raise WebhookVerificationError("The event belongs to another service.", "wrong_issuer")
    if configuration.app_id is not None and claims.get("app_id") != configuration.app_id:
        raise WebhookVerificationError("The event belongs to another app.", "wrong_app")
    environment = configuration.environment
    if environment is not None and claims.get("environment") != environment:
        raise WebhookVerificationError(
            "The event belongs to another environment.", "wrong_environment"
        )


def _check_time(claims: Mapping[str, Any], now: float) -> None:
    signed_at = claims.get("iat")
    age = now - signed_at if isinstance(signed_at, int | float) else float("inf")
    if not age <= MAX_AGE_SECONDS:  # Also for what is not a number.
        raise WebhookVerificationError("The signature is too old.", "too_old")
    if age < -MAX_AHEAD_SECONDS:
        raise WebhookVerificationError("The signature is from the future.", "too_new")


def _body(raw_body: bytes, claims: Mapping[str, Any]) -> dict[str, Any]:
    try:
        body = json.loads(raw_body)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise WebhookVerificationError("The body is not an event.", "malformed_body")
    if body.get("webhook_idempotency_key") != claims.get("jti"):
        raise WebhookVerificationError("The signature belongs to another event.", "wrong_event")
    return body
