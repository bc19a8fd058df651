"""The headers that a program adds to each request."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import ConfigurationError

HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
_HEADER_VALUE = re.compile(r"[\x20-\x7e]*", re.ASCII)
_OWN_HEADERS = {
    "authorization",
    "idempotency-key",
    "content-type",
    "content-length",
    "transfer-encoding",
    "host",
    "accept-encoding",
    "connection",
    "keep-alive",
    "upgrade",
    "expect",
}


def checked_headers(given: Mapping[str, str] | None, prefix: str) -> tuple[tuple[str, str], ...]:
    """The headers, unless they cannot be sent, or are the client's own."""
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise ConfigurationError("headers must be a mapping of names to texts.")
    for name, value in given.items():
        if not isinstance(name, str) or not HEADER_NAME.fullmatch(name):
            raise ConfigurationError("headers has a name that is not one of a header.")
        if not isinstance(value, str) or not _HEADER_VALUE.fullmatch(value):
            raise ConfigurationError(f"The value of the header {name} must be ASCII text.")
        if name.lower() in _OWN_HEADERS or name.lower().startswith(f"{prefix}-".lower()):
            raise ConfigurationError(f"The client sends the header {name} itself.")
    return tuple(given.items())
