"""Receiving webhooks: handlers for WSGI and for ASGI, which web frameworks mount."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from inspect import isawaitable
from typing import Any, Protocol, TypeAlias

from .errors import WebhookVerificationError
from .webhook_events import ReceivedEvent

LOGGER = logging.getLogger("tributary")
MAX_BODY_BYTES = 256 * 1024

OnEvent: TypeAlias = Callable[[ReceivedEvent], object]
"""Stores the event. The response is sent when it returns, and must be within 15 seconds: work
afterwards. If it raises an error, the response is 500 and the event is sent again."""
OnError: TypeAlias = Callable[[Exception], object]
"""Gets each reason for which a request was refused, or not handled. Without it, what is not handled
is logged to the logger `tributary`."""
Verify: TypeAlias = Callable[[bytes, list[tuple[str, str]]], ReceivedEvent]
AsyncVerify: TypeAlias = Callable[[bytes, list[tuple[bytes, bytes]]], Awaitable[ReceivedEvent]]

WsgiApp: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]


class AsgiApp(Protocol):
    """An application of ASGI 3."""

    def __call__(self, scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        """Handles one connection."""


def wsgi_app(verify: Verify, on_event: OnEvent, on_error: OnError | None) -> WsgiApp:
    """An application that responds with 204 to a webhook, and with 400 to anything else."""

    def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        try:
            on_event(verify(_body_of(environ), _headers_of(environ)))
            status = "204 No Content"
        except Exception as error:  # noqa: BLE001 -- the sender learns of it
            _report(error, on_error)
            refused = isinstance(error, WebhookVerificationError)
            status = "400 Bad Request" if refused else "500 Internal Server Error"
        start_response(status, [] if status.startswith("204") else [("Content-Length", "0")])
        return []

    return respond


def asgi_app(verify: AsyncVerify, on_event: OnEvent, on_error: OnError | None) -> AsgiApp:
    """The same for ASGI. `on_event` may be a coroutine function."""

    async def respond(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await _live(receive, send)
        if scope["type"] != "http":
            raise ValueError(f"Webhooks do not arrive by {scope['type']}.")
        try:
            event = await verify(await _received(receive), list(scope["headers"]))
            done = on_event(event)
            if isawaitable(done):
                await done
            status = 204
        except Exception as error:  # noqa: BLE001 -- the sender learns of it
            _report(error, on_error)
            status = 400 if isinstance(error, WebhookVerificationError) else 500
        headers = [] if status == 204 else [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return respond


async def _live(receive: Receive, send: Send) -> None:
    while True:
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return


def _body_of(environ: Mapping[str, Any]) -> bytes:
    length = environ.get("CONTENT_LENGTH") or ""
    if length.isdigit():
        wanted = int(length)
    else:  # Only such a server ends the stream at the end of the body.
        wanted = MAX_BODY_BYTES + 1 if environ.get("wsgi.input_terminated") else 0
    if wanted > MAX_BODY_BYTES and length.isdigit():
        raise _too_large()
    body: bytes = environ["wsgi.input"].read(wanted)
    if len(body) > MAX_BODY_BYTES:
        raise _too_large()
    return body


def _headers_of(environ: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (name.removeprefix("HTTP_").replace("_", "-"), value)
        for name, value in environ.items()
        if name.startswith("HTTP_")
    ]


async def _received(receive: Receive) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise WebhookVerificationError("The body did not arrive.", "malformed_body")
        part = message.get("body", b"")
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise _too_large()
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _too_large() -> WebhookVerificationError:
    return WebhookVerificationError("The body is larger than any event.", "malformed_body")


def _report(error: Exception, on_error: OnError | None) -> None:
    if on_error is None:
        if not isinstance(error, WebhookVerificationError):
            LOGGER.error("A webhook was not handled; it will be sent again.", exc_info=error)
        return
    try:
        on_error(error)
    except Exception:
        LOGGER.exception("on_error raised an error.")
