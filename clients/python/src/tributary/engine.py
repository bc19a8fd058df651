"""The steps of a call: with a token, again where that is safe, and with an error of its family."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import partial
from time import monotonic
from typing import Any, TypeVar

import httpx2
from pydantic import ValidationError as InvalidModel

from .api_version import API_VERSION
from .attempts import Attempt
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
from .responses import ApiResponse
from .retries import pause_before_retry, retry_after_of
from .tokens import Token, Tokens
from .wire import read_json

Result = TypeVar("Result")
PACKAGE_VERSION = "0.1.0"
LOGGER = logging.getLogger("tributary")
NOT_RECEIVED = (408, 421, 425)
"""Something in front of the service did not pass the request on, or asks for a new connection."""


class Engine:
    """Makes the calls of a configuration. It does no I/O itself: it yields what is to be done (`flows`)."""

    def __init__(self, configuration: Configuration, tokens: Tokens) -> None:
        self.configuration = configuration
        self.tokens = tokens

    def make(self, call: Call[Result]) -> Flow[Result]:
        """The result of a call."""
        return (yield from self.respond(call)).data

    def respond(self, call: Call[Result]) -> Flow[ApiResponse[Result]]:
        """The result of a call, with its response."""
        _ = call.query_string, call.content  # Mistakes are found before a token is requested.
        if not call.needs_token:
            return (yield from self._with_retries(call, None))
        token, is_new = yield from self._current_token()
        try:
            return (yield from self._with_retries(call, token))
        except AuthenticationError as error:
            if is_new or not _refuses_token(error):
                raise
        # The token expired, or was ended with its secret.
        self.tokens.drop(token)
        token, _ = yield from self._current_token()
        return (yield from self._with_retries(call, token))

    def _with_retries(self, call: Call[Result], token: Token | None) -> Flow[ApiResponse[Result]]:
        retries = 0
        while True:
            try:
                return (yield from self._once(call, token, retries))
            except TributaryError as error:
                pause = self._pause(error, call, retries)
                if pause is None:
                    raise
            retries += 1
            yield Wait(pause)

    def _current_token(self) -> Flow[tuple[Token, bool]]:
        """The token. The limits of this call hold for its wait, although all callers share one."""
        call, retries, pause = self._token_call(), 0, 0.0
        while True:
            fetch = partial(self._fetch_token, call, retries)
            try:
                limit = self.configuration.timeout
                return (yield from self.tokens.current(fetch, pause, limit))
            except TributaryError as error:
                next_pause = self._pause(error, call, retries)
                if next_pause is None:
                    raise
                retries, pause = retries + 1, next_pause

    def _fetch_token(self, call: Call[Token], retries: int) -> Flow[Token]:
        return (yield from self._once(call, None, retries)).data

    def _token_call(self) -> Call[Token]:
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
        return Call("POST", "/auth/token", _read_token, form=form, needs_token=False)

    def _pause(self, error: TributaryError, call: Call[Any], retries: int) -> float | None:
        if retries >= self.configuration.max_retries:
            return None
        return pause_before_retry(error, call, retries)

    def _once(
        self, call: Call[Result], token: Token | None, retries: int
    ) -> Flow[ApiResponse[Result]]:
        started_at = monotonic()
        try:
            response = yield from self._attempt(call, token)
        except TributaryError as error:
            self._report(call, retries, started_at, error, error)
            raise
        self._report(call, retries, started_at, response, None)
        return response

    def _report(
        self,
        call: Call[Any],
        retries: int,
        started_at: float,
        outcome: ApiResponse[Any] | TributaryError,
        error: TributaryError | None,
    ) -> None:
        on_attempt = self.configuration.on_attempt
        if on_attempt is None:
            return
        attempt = Attempt(
            method=call.method,
            path=call.path,
            number=retries + 1,
            seconds=monotonic() - started_at,
            status=getattr(outcome, "status", None),
            request_id=getattr(outcome, "request_id", None),
            error=error,
            will_retry=error is not None and self._pause(error, call, retries) is not None,
        )
        try:
            on_attempt(attempt)
        except Exception:
            LOGGER.exception("on_attempt raised an error.")

    def _attempt(self, call: Call[Result], token: Token | None) -> Flow[ApiResponse[Result]]:
        request = self._request(call, token)
        try:
            reply: Reply = yield Send(request, self.configuration.timeout, call.file)
        except httpx2.TimeoutException as error:
            raise ServiceConnectionError(
                "The response did not arrive in time.", "timeout"
            ) from error
        except httpx2.RequestError as error:
            raise ServiceConnectionError(
                f"No response arrived: {error}", "connection_failed"
            ) from error
        if not reply.is_success:
            raise self._error(call, reply)
        return ApiResponse(
            data=self._result(call, reply),
            status=reply.status,
            headers=reply.headers,
            request_id=self._request_id(reply),
            is_replayed=reply.headers.get("idempotency-replayed") == "true",
        )

    def _request(self, call: Call[Any], token: Token | None) -> httpx2.Request:
        prefix = self.configuration.header_prefix
        headers = {
            "accept-encoding": "gzip, deflate",
            "user-agent": f"tributary-python/{PACKAGE_VERSION}",
            f"{prefix}-version": API_VERSION,
        }
        named = {name.lower() for name, _ in self.configuration.headers}
        headers = {name: value for name, value in headers.items() if name not in named}
        headers.update(self.configuration.headers)
        if token is not None:
            headers["authorization"] = f"Bearer {token.text.reveal()}"
        if call.idempotency_key is not None:
            headers["idempotency-key"] = call.idempotency_key
        if call.body is not None:
            headers["content-type"] = "application/json"
        if call.form is not None:
            headers["content-type"] = "application/x-www-form-urlencoded"
        return httpx2.Request(
            call.method,
            self.configuration.base_url + call.path + call.query_string,
            headers=headers,
            content=call.content,
            extensions={"timeout": httpx2.Timeout(self.configuration.timeout).as_dict()},
        )

    def _result(self, call: Call[Result], reply: Reply) -> Result:
        try:
            return call.read(reply)
        except InvalidModel as invalid:
            places = sorted({".".join(map(str, each["loc"])) for each in invalid.errors()})
            message = f"The response to {call.method} {call.path} is not as documented at: {', '.join(places)}"
        except ValueError:
            message = f"The response to {call.method} {call.path} is not one of this API."
        raise self._unexpected(message, reply)

    def _error(self, call: Call[Any], reply: Reply) -> TributaryError:
        if reply.status < 400:
            return self._unexpected(
                f"The response is a redirect ({reply.status}): base_url has to be the exact address.",
                reply,
            )
        if reply.status in NOT_RECEIVED:
            return ServiceConnectionError(
                f"The request did not reach the service ({reply.status}).", "connection_failed"
            )
        try:
            body = read_json(reply.body)
        except ValueError:
            body = None
        return error_of_response(
            reply.status,
            body,
            request_id=self._request_id(reply),
            retry_after=retry_after_of(reply.headers),
            required_scope=required_scope_of(reply.headers),
            of_token_call=call.form is not None,
        )

    def _unexpected(self, message: str, reply: Reply) -> UnexpectedResponseError:
        request_id = self._request_id(reply)
        return UnexpectedResponseError(message, status=reply.status, request_id=request_id)

    def _request_id(self, reply: Reply) -> str | None:
        value: str | None = reply.headers.get(f"{self.configuration.header_prefix}-request-id")
        return value


def _refuses_token(error: AuthenticationError) -> bool:
    """A new token has the same scopes, and a refusal by a proxy is not about the token."""
    return error.required_scope is None and error.code.startswith("api_error.auth.")


def required_scope_of(headers: Mapping[str, str]) -> str | None:
    """The scope that the token lacks (RFC 6750, 3.1); empty if the service does not name it."""
    challenge = headers.get("www-authenticate", "")
    if 'error="insufficient_scope"' not in challenge:
        return None
    named = re.search(r'\bscope="([^"]*)"', challenge)
    return named[1] if named else ""


def _read_token(reply: Reply) -> Token:
    body = read_json(reply.body)
    match body:
        case {"access_token": str(text), "expires_in": int(life)} if _is_header_value(text):
            return Token.received_now(text, life)
    raise ValueError("no token")


def _is_header_value(text: str) -> bool:
    """Other text would appear in the error of a header that is refused."""
    return text.isascii() and text.isprintable() and " " not in text
