"""The public keys of the service."""

import json
import time
import urllib.request

KEPT_SECONDS = 3_600
ASK_AGAIN_SECONDS = 300


def fetch_key_set(base_url):
    with urllib.request.urlopen(f"{base_url}/.well-known/jwks.json", timeout=5) as answer:
        return json.load(answer)


class KeySet:
    """Kept for an hour; fetched again for an unknown `kid`, at most once in five minutes."""

    def __init__(self, fetch_keys, now=time.time):
        self._fetch_keys = fetch_keys
        self._now = now
        self._keys = []
        self._fetched_at = float("-inf")
        self._asked_again_at = float("-inf")

    def find(self, kid):
        """The key of that id, or None."""
        if self._now() - self._fetched_at >= KEPT_SECONDS:
            self._fetch()
        known = self._named(kid)
        if known is not None or self._now() - self._asked_again_at < ASK_AGAIN_SECONDS:
            return known
        self._asked_again_at = self._now()
        self._fetch()
        return self._named(kid)

    def _named(self, kid):
        return next((key for key in self._keys if key["kid"] == kid and key["use"] == "sig"), None)

    def _fetch(self):
        self._keys = self._fetch_keys()["keys"]
        self._fetched_at = self._now()
