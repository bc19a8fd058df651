"""Drives the Python client for the table of behaviors: JSON lines in, JSON lines out.

PROTOCOL describes the lines. The sync client gets a thread for each request; `--async` uses the other one.
"""

import asyncio
import base64
import json
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

FAMILIES = {
    "PermissionDeniedError": "PermissionError",
    "ServiceConnectionError": "ConnectionError",
}
NEW = [
    "base_url",
    "allow_http",
    "client_id",
    "client_secret",
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
    "users.listLinks",
    "users.listAccounts",
    "transactions.list",
    "users.listTransactions",
    "webhooks.listEvents",
}

clients = {}
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
        options["timeout"] = args["timeout_ms"] / 1000
    if "key_set" in args:
        options["transport"] = transport_class(args["key_set"])
    clients[request.get("client", "default")] = client_class(**options)
    return {}


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
    if kind == "inspect":
        return inspected(method)
    result = method(*positional, **named)
    if kind == "page":
        return page_of(result.page())
    return wire(list(result) if kind == "all" else result)


async def perform_later(request):
    kind, method, positional, named = prepared(request)
    if kind == "sync":
        store = SqliteStore(positional.pop())
        try:
            return vars(await method(*positional, store, **named))
        finally:
            store.close()
    if kind == "inspect":
        return inspected(method)
    result = method(*positional, **named)
    if kind == "page":
        return page_of(await result.page())
    return wire([item async for item in result] if kind == "all" else await result)


def prepared(request):
    """How to make the call: its kind, the method, and its arguments."""
    client, call, args = clients[request.get("client", "default")], request["call"], request["args"]
    if call == "inspect":
        return "inspect", client, [], {}
    if call == "webhooks.verify":
        headers = [
            (name, value)
            for name, values in args["headers"].items()
            for value in ([values] if isinstance(values, str) else values)
        ]
        at = args.get("received_at")
        return (
            "plain",
            client.webhooks.verify,
            [base64.b64decode(args["body_base64"]), headers],
            {"received_at": datetime.fromisoformat(at) if at else None},
        )
    if call == "transactions.syncInto":
        named = {"size": args["size"]} if "size" in args else {}
        return "sync", client.transactions.sync_into, [args["link_id"], args["sqlite"]], named
    resource, operation = (snake(part) for part in call.split("."))
    options = args.get("options", {})
    if "timeout_ms" in options or "max_retries" in options:
        timeout = options.get("timeout_ms")
        client = client.with_options(
            timeout=timeout and timeout / 1000, max_retries=options.get("max_retries")
        )
    named = {PYTHON_NAMES.get(name, name): value for name, value in args.get("query", {}).items()}
    named |= args.get("body", {})
    if "idempotency_key" in options:
        named["idempotency_key"] = options["idempotency_key"]
    if operation == "export":
        named.pop("format", None)
    method = getattr(getattr(client, resource), PYTHON_NAMES.get(operation, operation))
    return (
        args.get("read", "all") if call in PAGED else "plain",
        method,
        args.get("path", []),
        named,
    )


def snake(name):
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def page_of(page):
    return {"items": wire(page.items), "next": page.next}


def wire(value):
    if isinstance(value, list):
        return [wire(each) for each in value]
    return value.to_wire() if hasattr(value, "to_wire") else value


def described(error):
    name = type(error).__name__
    members = {
        "family": FAMILIES.get(name, name),
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


if __name__ == "__main__":
    main()
