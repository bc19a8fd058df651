"""The steps of a call: with a token, again where that is safe, and with an error of its family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, TypeVar
from urllib.parse import urlencode

import httpx2
from pydantic import ValidationError as InvalidModel

from .api_version import API_VERSION
from .calls import Call
from .configuration import Configuration
from .errors import (
    AuthenticationError,
    ConfigurationError,
    ServiceConnectionError,
    TributaryError,
    UnexpectedResponseError,
    error_of_response,
)
from .flows import Flow, Reply, Send, Wait
from .retries import pause_before_retry, retry_after_of
from .tokens import Token, Tokens
from .wire import read_json, write_json

Result = TypeVar("Result")
PACKAGE_VERSION = "0.1.0"


class Engine:
    """Makes the calls of a configuration. It does no I/O itself: it yields what is to be done (`flows`)."""

    def __init__(self, configuration: Configuration, tokens: Tokens) -> None:
        self.configuration = configuration
        self.tokens = tokens

    def make(self, call: Call[Result]) -> Flow[Result]:
        """The result of a call."""
        if not call.needs_token:
            return (yield from self._with_retries(call, None))
        token, is_new = yield from self.tokens.current(self._fetch_token)
        try:
            return (yield from self._with_retries(call, token))
        except AuthenticationError as error:
            if is_new or not error.code.startswith("api_error.auth."):
                raise
        # The token expired, or was ended with its secret.
        self.tokens.drop(token)
        token, _ = yield from self.tokens.current(self._fetch_token)
        return (yield from self._with_retries(call, token))

    def _with_retries(self, call: Call[Result], token: Token | None) -> Flow[Result]:
        retries = 0
        while True:
            try:
                return (yield from self._attempt(call, token))
            except TributaryError as error:
                pause = pause_before_retry(error, call, retries)
                if pause is None or retries >= self.configuration.max_retries:
                    raise
            retries += 1
            yield Wait(pause)

    def _fetch_token(self) -> Flow[Token]:
        pair = self.configuration.key_pair
        if pair is None:
            raise ConfigurationError(
                "Pass client_id and client_secret, or set the environment variables "
                "CLIENT_ID and CLIENT_SECRET."
            )
        form = {
            "grant_type": "client_credentials",
            "client_id": pair.client_id,
            "client_secret": pair.client_secret.reveal(),
        }
        if self.configuration.scopes:
            form["scope"] = " ".join(self.configuration.scopes)
        call = Call("POST", "/auth/token", _read_token, form=form, needs_token=False)
        return (yield from self.make(call))

    def _attempt(self, call: Call[Result], token: Token | None) -> Flow[Result]:
        try:
            reply: Reply = yield Send(
                self._request(call, token), self.configuration.timeout, call.file
            )
        except httpx2.TimeoutException as error:
            raise ServiceConnectionError(
                "The response did not arrive in time.", "timeout"
            ) from error
        except httpx2.RequestError as error:
            raise _connection_failed(f"No response arrived: {error}") from error
        if reply.is_success:
            return self._result(call, reply)
        if 300 <= reply.status < 400:
            raise _connection_failed(
                "The response is a redirect: base_url has to be the exact address."
            )
        raise self._error(call, reply)

    def _request(self, call: Call[Any], token: Token | None) -> httpx2.Request:
        prefix = self.configuration.header_prefix
        headers = {
            "accept-encoding": "gzip, deflate",
            "user-agent": f"tributary-python/{PACKAGE_VERSION}",
            f"{prefix}-version": API_VERSION,
        }
        if token is not None:
            headers["authorization"] = f"Bearer {token.text.reveal()}"
        if call.idempotency_key is not None:
            headers["idempotency-key"] = call.idempotency_key
        content = None
        if call.body is not None:
            headers["content-type"] = "application/json"
            content = write_json(call.body).encode()
        if call.form is not None:
            headers["content-type"] = "application/x-www-form-urlencoded"
            content = urlencode(call.form).encode()
        return httpx2.Request(
            call.method,
            self.configuration.base_url + call.path + _query_string(call.query),
            headers=headers,
            content=content,
            extensions={"timeout": httpx2.Timeout(self.configuration.timeout).as_dict()},
        )

    def _result(self, call: Call[Result], reply: Reply) -> Result:
        try:
            return call.read(reply)
        except InvalidModel as invalid:
            places = sorted({".".join(map(str, each["loc"])) for each in invalid.errors()})
            message = f"The response to {call.method} {call.path} is not as documented at: {', '.join(places)}"
        except ValueError:
            raise _connection_failed("The response is not one of this API.") from None
        raise UnexpectedResponseError(message, self._request_id(reply))

    def _error(self, call: Call[Any], reply: Reply) -> TributaryError:
        try:
            body = read_json(reply.body)
        except ValueError:
            body = None
        return error_of_response(
            reply.status,
            body,
            request_id=self._request_id(reply),
            retry_after=retry_after_of(reply.headers),
            of_token_call=call.form is not None,
        )

    def _request_id(self, reply: Reply) -> str | None:
        value: str | None = reply.headers.get(f"{self.configuration.header_prefix}-request-id")
        return value


def _connection_failed(message: str) -> ServiceConnectionError:
    return ServiceConnectionError(message, "connection_failed")


def _read_token(reply: Reply) -> Token:
    body = read_json(reply.body)
    match body:
        case {"access_token": str(text), "expires_in": int(life)} if _is_header_value(text):
            return Token.received_now(text, life)
    raise ValueError("no token")


def _is_header_value(text: str) -> bool:
    """Other text would appear in the error of a header that is refused."""
    return text.isascii() and text.isprintable() and " " not in text


def _query_string(query: Mapping[str, Any]) -> str:
    pairs = [
        (name, _query_value(each))
        for name, value in query.items()
        if value is not None
        for each in (value if _is_list(value) else [value])
    ]
    return f"?{urlencode(pairs)}" if pairs else ""


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)


def _query_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)
