"""A transport whose requests end in time, whatever the other side does.

The limits of an HTTP library hold for each read and each write, so a server that sends a byte at a
time is waited for without end. Here, every step on the network gets the time that is left.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore2
import httpx2

_ENDS_AT: ContextVar[float | None] = ContextVar("tributary_ends_at", default=None)
CONNECTIONS = httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=5.0)


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Limits the network of this thread to so many seconds from now, all steps together."""
    before = _ENDS_AT.set(None if seconds is None else time.monotonic() + seconds)
    try:
        yield
    finally:
        _ENDS_AT.reset(before)


def remaining(limit: float | None, late: type[Exception]) -> float | None:
    """The time for the next step: the limit of the step itself, or what is left."""
    ends_at = _ENDS_AT.get()
    if ends_at is None:
        return limit
    left = ends_at - time.monotonic()
    if left <= 0:
        raise late("The time is over.")
    return left if limit is None else min(limit, left)


class LimitedTransport(httpx2.BaseTransport):
    """Sends requests over connections that keep the time limit."""

    def __init__(self) -> None:
        self._pool = httpcore2.ConnectionPool(
            # No variable of the environment changes the certificates that are trusted.
            ssl_context=httpx2.create_ssl_context(trust_env=False),
            max_connections=CONNECTIONS.max_connections,
            max_keepalive_connections=CONNECTIONS.max_keepalive_connections,
            keepalive_expiry=CONNECTIONS.keepalive_expiry,
            network_backend=_Network(),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response; its body is still to be read."""
        url = request.url
        with _errors_of_httpx():
            response = self._pool.handle_request(
                httpcore2.Request(
                    method=request.method,
                    url=httpcore2.URL(
                        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                    ),
                    headers=request.headers.raw,
                    content=request.read(),
                    extensions=request.extensions,
                )
            )
        return httpx2.Response(response.status, headers=response.headers, stream=_Body(response))

    def close(self) -> None:
        """Closes the connections."""
        self._pool.close()


class _Body(httpx2.SyncByteStream):
    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        with _errors_of_httpx():
            yield from self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


@contextmanager
def _errors_of_httpx() -> Iterator[None]:
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise httpx2.ReadTimeout(str(error)) from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError) as error:
        raise httpx2.NetworkError(str(error)) from error


class _Network(httpcore2.SyncBackend):
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        failure: Exception = httpcore2.ConnectError(f"The name {host} has no address.")
        for address in _addresses(host, port):
            left = remaining(timeout, httpcore2.ConnectTimeout)
            try:
                # Of a name with several addresses, each gets what is left.
                stream = super().connect_tcp(
                    address, port, left, local_address, list(socket_options or ())
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return _Stream(stream)
        raise failure


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpcore2.ConnectError(str(error)) from error
    return [str(address[0]) for _, _, _, _, address in found]


class _Stream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, remaining(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # Not by the stream, whose limit begins again with each part that the other side accepts.
        connection: socket.socket = self._stream.get_extra_info("socket")
        view = memoryview(buffer)
        try:
            while view:
                connection.settimeout(remaining(timeout, httpcore2.WriteTimeout))
                view = view[connection.send(view) :]
        except TimeoutError as error:
            raise httpcore2.WriteTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.WriteError(str(error)) from error

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        left = remaining(timeout, httpcore2.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
