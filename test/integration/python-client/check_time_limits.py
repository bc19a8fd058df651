"""Calls servers that are slow in every phase of a request, and prints how each call ended, as JSON."""

import asyncio
import json
import socket
import sys
import threading
import time
from contextlib import contextmanager, suppress

import httpx2
import tributary
from tributary.limited_transport import LimitedTransport

LIMIT = 0.5
BODY = b'{"keys":[]}'
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\nx-padding: "
PAUSE = 0.02


def trickle(connection, data, endless):
    """A byte at a time: each arrives long before the limit of a read."""
    position = 0
    while endless or position < len(data):
        connection.sendall(data[position : position + 1] or b"x")
        position += 1
        time.sleep(PAUSE)


def read_request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65_536)


def headers_a_byte_at_a_time(connection):
    read_request(connection)
    trickle(connection, HEAD, endless=True)


def body_a_byte_at_a_time(connection):
    read_request(connection)
    connection.sendall(HEAD.replace(b": 11", b": 9999999") + b"\r\n\r\n")
    trickle(connection, BODY, endless=True)


def interim_responses(connection):
    read_request(connection)
    while True:
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        time.sleep(PAUSE)


def silence(connection):
    connection.recv(65_536)
    time.sleep(10)


def a_reader_of_a_byte_at_a_time(connection):
    while connection.recv(1_024):
        time.sleep(PAUSE)


@contextmanager
def server(serve):
    """Never accepts with `serve` None."""
    listener = socket.socket()
    # Small, so that a large request waits for its reader.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    listener.bind(("127.0.0.1", 0))
    listener.listen(16)
    ended = threading.Event()

    def accept():
        with suppress(OSError):
            while not ended.is_set():
                connection, _ = listener.accept()
                threading.Thread(target=answer, args=[connection], daemon=True).start()

    def answer(connection):
        with suppress(OSError), connection:
            serve(connection)

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        ended.set()
        listener.close()


def outcome(call):
    started_at = time.monotonic()
    try:
        call()
    except tributary.TributaryError as error:
        ended = f"{type(error).__name__} {error.code}"
    else:
        ended = "success"
    return [ended, time.monotonic() - started_at]


def ask(address, body):
    """The outcome with each client. A large body goes to a call without a token: the one for a token."""
    options = {"base_url": address, "timeout": LIMIT, "max_retries": 0}
    if body:
        options |= {"client_id": "sandbox_1", "client_secret": "s" * body}

    def sync():
        with tributary.Tributary(**options) as client:
            client.tokens.introspect() if body else client.webhooks.list_keys()

    async def with_asyncio():
        async with tributary.AsyncTributary(**options) as client:
            await (client.tokens.introspect() if body else client.webhooks.list_keys())

    return {"sync": outcome(sync), "asyncio": outcome(lambda: asyncio.run(with_asyncio()))}


def pool_without_connections(address):
    """All connections are in use by others, for longer than the limit."""
    transport = LimitedTransport()
    others = [
        threading.Thread(target=hold, args=[transport, address], daemon=True) for _ in range(100)
    ]
    for other in others:
        other.start()
    while len(transport._pool.connections) < 100:
        time.sleep(PAUSE)
    client = tributary.Tributary(
        base_url=address, timeout=LIMIT, max_retries=0, transport=transport
    )
    return {"sync": outcome(client.webhooks.list_keys)}


def hold(transport, address):
    limits = httpx2.Timeout(30).as_dict()
    with suppress(httpx2.HTTPError):
        transport.handle_request(httpx2.Request("GET", address, extensions={"timeout": limits}))


def main():
    results = {}
    for serve, body in [
        (headers_a_byte_at_a_time, 0),
        (body_a_byte_at_a_time, 0),
        (interim_responses, 0),
        (silence, 0),
        (a_reader_of_a_byte_at_a_time, 30_000_000),
    ]:
        with server(serve) as address:
            results[serve.__name__] = ask(address, body)
    with server(silence) as address:
        results["no_free_connection"] = pool_without_connections(address)
    print(json.dumps({"limit": LIMIT, "results": results}))
    sys.stdout.flush()


main()
