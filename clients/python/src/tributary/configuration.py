"""The settings of a client: arguments, or the environment variables that stand for them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal, cast
from urllib.parse import urlsplit

from .errors import ConfigurationError
from .secret import Secret

Environment = Literal["sandbox", "live"]


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

    def __post_init__(self) -> None:
        if self.timeout <= 0:
            raise ConfigurationError("timeout must be a number of seconds above 0.")
        if self.max_retries < 0:
            raise ConfigurationError("max_retries must be 0 or more.")


def configuration_of(
    *,
    base_url: str | None,
    allow_http: bool | None,
    client_id: str | None,
    client_secret: str | None,
    scopes: Sequence[str],
    app_id: str | None,
    environment: Environment | None,
    header_prefix: str,
    timeout: float,
    max_retries: int,
) -> Configuration:
    """The configuration of these arguments and of the environment."""
    key_pair = _key_pair(
        client_id or _variable("CLIENT_ID"), client_secret or _variable("CLIENT_SECRET")
    )
    return Configuration(
        base_url=_base_url(
            base_url or _variable("TRIBUTARY_URL"),
            _variable("TRIBUTARY_ALLOW_HTTP") == "1" if allow_http is None else allow_http,
        ),
        key_pair=key_pair,
        scopes=tuple(scopes),
        app_id=app_id or _variable("TRIBUTARY_APP_ID"),
        environment=_environment(environment or _variable("TRIBUTARY_ENVIRONMENT"), key_pair),
        header_prefix=header_prefix,
        timeout=timeout,
        max_retries=max_retries,
    )


def _variable(name: str) -> str | None:
    return os.environ.get(name) or None


def _base_url(text: str | None, allow_http: bool) -> str:
    if text is None:
        raise ConfigurationError("Pass base_url, or set the environment variable TRIBUTARY_URL.")
    parts = urlsplit(text)
    is_plain = not ("@" in parts.netloc or parts.query or parts.fragment)
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain:
        raise ConfigurationError(
            "base_url is the address of the service, such as https://tributary.example."
        )
    if parts.scheme == "http" and not allow_http and not _is_loopback(parts.hostname):
        raise ConfigurationError(
            "base_url starts with http, so the secret of the key pair and bank data could be read "
            "on their way. Use https, or pass allow_http=True (TRIBUTARY_ALLOW_HTTP=1) if you trust "
            "the network."
        )
    return text.rstrip("/")


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
