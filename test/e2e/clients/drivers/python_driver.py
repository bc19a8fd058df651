"""Drives the Python client for the table of behaviors: JSON lines in, JSON lines out.

PROTOCOL describes the lines. The sync client gets a thread for each request; `--async` uses the other one.
"""

import asyncio
import base64
import io
import json
import logging
import os
import re
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial

import httpx2
import tributary
from sqlite_store import SqliteStore
from tributary.wire import write_json

NEW = [
    "base_url",
    "allow_http",
    "client_id",
    "client_secret",
    "scopes",
    "headers",
    "app_id",
    "environment",
    "header_prefix",
    "max_retries",
]
PYTHON_NAMES = {"from": "from_", "import": "import_"}
PAGED = {
    "links.list",
    "linkSessions.list",
    "institutions.list",
    "holdings.list",
    "investmentTransactions.list",
    "liabilities.list",
    "recurring.list",
    "users.listLinks",
    "users.listAccounts",
    "transactions.list",
    "users.listTransactions",
    "webhooks.listEvents",
}

clients = {}
attempts = {}
"""The attempts of each client that was made with `attempts`."""
printing = threading.Lock()


def main():
    if "--async" in sys.argv:
        asyncio.run(drive_tasks())
    else:
        drive_threads()


def drive_threads():
    with ThreadPoolExecutor(max_workers=64) as pool:
        for line in sys.stdin:
            request = json.loads(line)
            if request["call"] == "new":
                reply(request, partial(new_client, request, tributary.Tributary, KeySetTransport))
            else:
                pool.submit(reply, request, partial(perform, request))


async def drive_tasks():
    loop, tasks = asyncio.get_running_loop(), set()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        request = json.loads(line)
        if request["call"] == "new":
            reply(
                request,
                partial(new_client, request, tributary.AsyncTributary, AsyncKeySetTransport),
            )
            continue
        task = asyncio.create_task(reply_later(request))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)


def reply(request, work):
    try:
        write({"id": request["id"], "ok": work()})
    except tributary.TributaryError as error:
        write({"id": request["id"], "error": described(error)})
    except Exception:  # noqa: BLE001 -- the driver ends with it
        crash()


async def reply_later(request):
    try:
        ok = await perform_later(request)
    except tributary.TributaryError as error:
        write({"id": request["id"], "error": described(error)})
    except Exception:  # noqa: BLE001 -- the driver ends with it
        crash()
    else:
        write({"id": request["id"], "ok": ok})


def crash():
    """Ends the driver, whose test then fails with the text."""
    traceback.print_exc()
    os._exit(1)


def write(response):
    with printing:
        print(write_json(response), flush=True)


def new_client(request, client_class, transport_class):
    args = request["args"]
    options = {name: args[name] for name in NEW if name in args}
    if "timeout_ms" in args:
        options["timeout"] = seconds(args["timeout_ms"])
    name = request.get("client", "default")
    attempts[name] = []
    if args.get("attempts"):
        options["on_attempt"] = attempts[name].append
    if "key_set" in args:
        options["transport"] = transport_class(args["key_set"])
    clients[name] = client_class(**options)
    return {}


def seconds(milliseconds):
    is_number = isinstance(milliseconds, int | float) and not isinstance(milliseconds, bool)
    return milliseconds / 1000 if is_number else milliseconds


class KeySetTransport(httpx2.BaseTransport):
    def __init__(self, key_set):
        self.key_set = key_set

    def handle_request(self, request):
        if request.url.path != "/.well-known/jwks.json":
            raise httpx2.ConnectError("refused")
        return httpx2.Response(200, json=self.key_set)


class AsyncKeySetTransport(httpx2.AsyncBaseTransport):
    def __init__(self, key_set):
        self.sync = KeySetTransport(key_set)

    async def handle_async_request(self, request):
        return self.sync.handle_request(request)


def perform(request):
    kind, method, positional, named = prepared(request)
    if kind == "sync":
        store = SqliteStore(positional.pop())
        try:
            return vars(method(*positional, store, **named))
        finally:
            store.close()
    if kind in LOCAL:
        return LOCAL[kind](method, *positional)
    if kind == "handle":
        return handled_by_wsgi(method, *positional)
    if kind == "export":
        file = io.BytesIO()
        method(*positional, file, **named)
        return file.getvalue().decode()
    result = method(*positional, **named)
    if kind == "page":
        return page_of(result.page())
    if kind == "pages":
        return [pages_of(page) for page in result.pages()]
    return FORMS[kind](list(result) if kind == "all" else result)


async def perform_later(request):
    kind, method, positional, named = prepared(request)
    if kind == "sync":
        store = SqliteStore(positional.pop())
        try:
            return vars(await method(*positional, store, **named))
        finally:
            store.close()
    if kind in LOCAL:
        return LOCAL[kind](method, *positional)
    if kind == "handle":
        return await handled_by_asgi(method, *positional)
    if kind == "export":
        file = io.BytesIO()
        await method(*positional, file, **named)
        return file.getvalue().decode()
    result = method(*positional, **named)
    if kind == "page":
        return page_of(await result.page())
    if kind == "pages":
        return [pages_of(page) async for page in result.pages()]
    return FORMS[kind]([item async for item in result] if kind == "all" else await result)


def prepared(request):
    """How to make the call: its kind, the method, and its arguments."""
    client, call, args = clients[request.get("client", "default")], request["call"], request["args"]
    if call == "inspect":
        return "inspect", client, [], {}
    if call == "attempts":
        return "attempts", attempts[request.get("client", "default")], [], {}
    if call in ("webhooks.verify", "webhooks.verifyKind"):
        return (
            "plain" if call == "webhooks.verify" else "event",
            client.webhooks.verify,
            [base64.b64decode(args["body_base64"]), headers_of(args["headers"])],
            {"received_at": time_of(args.get("received_at"))},
        )
    if call == "webhooks.handle":
        fails = args.get("fails", False)
        body = base64.b64decode(args["body_base64"])
        return "handle", client.webhooks, [body, headers_of(args["headers"]), fails], {}
    if call == "transactions.syncInto":
        named = {"size": args["size"]} if "size" in args else {}
        return "sync", client.transactions.sync_into, [args["link_id"], args["sqlite"]], named
    options = args.get("options", {})
    if "timeout_ms" in options or "max_retries" in options:
        client = client.with_options(
            timeout=seconds(options.get("timeout_ms")), max_retries=options.get("max_retries")
        )
    if call == "links.exportText":
        return "export", client.links.export_to, [args["link_id"]], {"format": "jsonl"}
    resource, operation = (snake(part) for part in call.split("."))
    named = {PYTHON_NAMES.get(name, name): value for name, value in args.get("query", {}).items()}
    named |= args.get("body", {})
    if "idempotency_key" in options:
        named["idempotency_key"] = options["idempotency_key"]
    if operation == "export":
        named.pop("format", None)
    method = getattr(getattr(client, resource), PYTHON_NAMES.get(operation, operation))
    kind = args.get("read", "all") if call in PAGED else "plain"
    if args.get("raw"):
        kind, method = "raw", method.with_response
    return (
        kind,
        method,
        args.get("path", []),
        named,
    )


def headers_of(headers):
    if not isinstance(headers, dict):
        return headers
    return [
        (name, value)
        for name, values in headers.items()
        for value in ([values] if isinstance(values, str) else values)
    ]


def time_of(text):
    """A text that is no time is passed as it is."""
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return text


class Handling:
    """Records the events of a handler, and the log of the client."""

    def __init__(self, fails):
        self.fails = fails
        self.events = []
        self.records = []
        self.log = logging.Handler()
        self.log.emit = self.records.append

    def __enter__(self):
        logging.getLogger("tributary").addHandler(self.log)
        return self

    def __exit__(self, *_):
        logging.getLogger("tributary").removeHandler(self.log)

    def receive(self, event):
        if self.fails:
            raise OSError("no disk")
        self.events.append(event.webhook_idempotency_key)

    def outcome(self, status):
        return {"status": status, "events": self.events, "has_logged": self.records != []}


def handled_by_wsgi(webhooks, body, headers, fails):
    environ = {
        "REQUEST_METHOD": "POST",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers},
    }
    statuses = []
    with Handling(fails) as handling:
        app = webhooks.wsgi_handler(handling.receive)
        app(environ, lambda status, _headers: statuses.append(int(status[:3])))
    return handling.outcome(statuses[0])


async def handled_by_asgi(webhooks, body, headers, fails):
    middle = len(body) // 2
    parts = [
        {"type": "http.request", "body": body[:middle], "more_body": True},
        {"type": "http.request", "body": body[middle:]},
    ]
    scope = {
        "type": "http",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
    }
    sent = []

    async def receive():
        return parts.pop(0)

    async def send(message):
        sent.append(message)

    async def on_event(event):
        handling.receive(event)

    with Handling(fails) as handling:
        await webhooks.asgi_handler(on_event)(scope, receive, send)
    return handling.outcome(sent[0]["status"])


def snake(name):
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def page_of(page):
    return {"items": wire(page.items), "next": page.next}


def pages_of(page):
    return page_of(page) | {"status": page.response.status}


def response_of(response):
    return {
        "data": wire(response.data),
        "status": response.status,
        "content_type": response.headers["Content-Type"],
        "request_id": response.request_id,
        "is_replayed": response.is_replayed,
    }


def event_of(event):
    kind = "unknown" if isinstance(event, tributary.UnknownEvent) else "known"
    return {"kind": kind, "event": wire(event)}


def described_attempts(recorded):
    return [
        {
            "method": each.method,
            "path": each.path,
            "number": each.number,
            "status": each.status,
            "has_request_id": each.request_id is not None,
            "error": each.error and each.error.code,
            "will_retry": each.will_retry,
        }
        for each in recorded
    ]


def wire(value):
    if isinstance(value, list):
        return [wire(each) for each in value]
    return value.to_wire() if hasattr(value, "to_wire") else value


def described(error):
    name = type(error).__name__
    members = {
        "family": name,
        "message": str(error),
        "text": "".join(traceback.format_exception(error)),
    }
    for name in [
        "code",
        "status",
        "request_id",
        "retry_after",
        "documentation_url",
        "link_error_code",
        "required_scope",
    ]:
        if getattr(error, name, None) is not None:
            members[name] = getattr(error, name)
    if isinstance(error, tributary.ApiError):
        members["issues"] = [
            vars(issue) | {"location": list(issue.location)} for issue in error.issues
        ]
    return members


def inspected(value):
    """What a developer sees of a value and of everything that it holds."""
    seen, texts, waiting = set(), [], [value]
    while waiting:
        each = waiting.pop()
        if (
            id(each) in seen
            or isinstance(each, type)
            or callable(each)
            and not hasattr(each, "__dict__")
        ):
            continue
        seen.add(id(each))
        texts.append(repr(each))
        if isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, (list, tuple, set, frozenset)):
            waiting += each
        elif hasattr(each, "__dict__"):
            waiting += vars(each).values()
    return "\n".join(texts)


LOCAL = {"inspect": inspected, "attempts": described_attempts}
"""Calls without a request."""
FORMS = {"plain": wire, "all": wire, "raw": response_of, "event": event_of}


if __name__ == "__main__":
    main()
