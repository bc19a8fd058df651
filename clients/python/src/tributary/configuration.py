"""The settings of a client: arguments, or the environment variables that stand for them."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal, cast
from urllib.parse import urlsplit

from .attempts import OnAttempt
from .default_headers import HEADER_NAME, checked_headers
from .errors import ConfigurationError
from .secret import Secret

Environment = Literal["sandbox", "live"]
MAX_TIMEOUT = 2_147_483.0
"""Seconds. Clocks of operating systems and of other languages end there: 24 days."""


@dataclass(frozen=True)
class KeyPair:
    """The key pair, which is exchanged for access tokens."""

    client_id: str
    client_secret: Secret


@dataclass(frozen=True)
class Configuration:
    """The settings of a client. Neither its repr nor its attributes show the secret."""

    base_url: str
    key_pair: KeyPair | None
    """None for a client that verifies webhooks only."""
    scopes: tuple[str, ...]
    app_id: str | None
    environment: Environment | None
    header_prefix: str
    timeout: float
    max_retries: int
    headers: tuple[tuple[str, str], ...]
    """Sent with each request."""
    on_attempt: OnAttempt | None

    def __post_init__(self) -> None:
        if not _is_number(self.timeout) or not 0 < self.timeout <= MAX_TIMEOUT:
            raise ConfigurationError(
                f"timeout must be a number of seconds above 0, at most {MAX_TIMEOUT:.0f}."
            )
        if not isinstance(self.max_retries, int) or isinstance(self.max_retries, bool):
            raise ConfigurationError("max_retries must be a whole number.")
        if self.max_retries < 0:
            raise ConfigurationError("max_retries must be 0 or more.")
        if self.on_attempt is not None and not callable(self.on_attempt):
            raise ConfigurationError("on_attempt must be a function.")


def configuration_of(
    *,
    base_url: str | None,
    allow_http: bool | None,
    client_id: str | None,
    client_secret: str | None,
    scopes: Iterable[str],
    app_id: str | None,
    environment: Environment | None,
    header_prefix: str,
    timeout: float,
    max_retries: int,
    headers: Mapping[str, str] | None,
    on_attempt: OnAttempt | None,
) -> Configuration:
    """The configuration of these arguments and of the environment."""
    texts = {
        "base_url": base_url,
        "client_id": client_id,
        "client_secret": client_secret,
        "app_id": app_id,
        "environment": environment,
        "header_prefix": header_prefix,
    }
    for name, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise ConfigurationError(f"{name} must be a text.")
    if not HEADER_NAME.fullmatch(header_prefix or ""):
        raise ConfigurationError("header_prefix must be the first word of a header name.")
    key_pair = _key_pair(
        client_id or _variable("CLIENT_ID"), client_secret or _variable("CLIENT_SECRET")
    )
    return Configuration(
        base_url=_base_url(
            base_url or _variable("TRIBUTARY_URL"),
            _variable("TRIBUTARY_ALLOW_HTTP") == "1" if allow_http is None else allow_http,
        ),
        key_pair=key_pair,
        scopes=_scopes(scopes),
        app_id=app_id or _variable("TRIBUTARY_APP_ID"),
        environment=_environment(environment or _variable("TRIBUTARY_ENVIRONMENT"), key_pair),
        header_prefix=header_prefix,
        timeout=timeout,
        max_retries=max_retries,
        headers=checked_headers(headers, header_prefix),
        on_attempt=on_attempt,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _scopes(given: Iterable[str]) -> tuple[str, ...]:
    is_list = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    scopes = tuple(given) if is_list else ("",)
    if all(isinstance(scope, str) and scope for scope in scopes):
        return scopes
    raise ConfigurationError('scopes must be a list of texts, such as ["links:read"].')


def _variable(name: str) -> str | None:
    return os.environ.get(name) or None


def _base_url(text: str | None, allow_http: bool) -> str:
    if text is None:
        raise ConfigurationError("Pass base_url, or set the environment variable TRIBUTARY_URL.")
    scheme, host = _scheme_and_host(text)
    if scheme not in ("http", "https") or not host:
        raise ConfigurationError(
            "base_url is the address of the service, such as https://tributary.example."
        )
    if scheme == "http" and not allow_http and not _is_loopback(host):
        raise ConfigurationError(
            "base_url starts with http, so the secret of the key pair and bank data could be read "
            "on their way. Use https, or pass allow_http=True (TRIBUTARY_ALLOW_HTTP=1) if you trust "
            "the network."
        )
    return text.rstrip("/")


def _scheme_and_host(text: str) -> tuple[str, str | None]:
    """Both empty for an address that has more than a host, a port and a path."""
    try:
        parts = urlsplit(text)
        _ = parts.port  # Raises an error for one that is none.
    except ValueError:
        return "", None
    is_plain = not ("@" in parts.netloc or parts.query or parts.fragment)
    is_address = is_plain and not re.search(r"[\s\x00-\x1f]", text)
    return (parts.scheme, parts.hostname) if is_address else ("", None)


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _key_pair(client_id: str | None, client_secret: str | None) -> KeyPair | None:
    if client_id is None and client_secret is None:
        return None
    if client_id is None:
        raise ConfigurationError(
            "Pass client_id as well, or set the environment variable CLIENT_ID."
        )
    if client_secret is None:
        raise ConfigurationError(
            "Pass client_secret as well, or set the environment variable CLIENT_SECRET."
        )
    return KeyPair(client_id, Secret(client_secret))


def _environment(given: str | None, key_pair: KeyPair | None) -> Environment | None:
    prefix = key_pair.client_id.split("_")[0] if key_pair else None
    of_pair = prefix if prefix in ("sandbox", "live") else None
    if given is not None and given not in ("sandbox", "live"):
        raise ConfigurationError("environment must be sandbox or live.")
    if given is not None and of_pair is not None and given != of_pair:
        raise ConfigurationError(f"environment is {given}, but the key pair belongs to {of_pair}.")
    return cast("Environment | None", given or of_pair)
