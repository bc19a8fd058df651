"""The two ways to run a flow: with threads, and with asyncio."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from typing import Any, TypeVar

import httpx2

from .flows import Ask, Flow, OneAtATime, Reply, Send, Step, Subject, Wait
from .limited_transport import LimitedTransport, time_limit

Result = TypeVar("Result")

# The runners use transports instead of `httpx2.Client`, which logs every address, and which reads
# proxies and passwords from the environment.


class SyncRunner:
    """Runs flows in the thread of their caller; any number of threads may share it."""

    def __init__(self, transport: httpx2.BaseTransport | None = None) -> None:
        self._transport = transport or LimitedTransport()
        self._locks: dict[Subject, threading.Lock] = {
            "token": threading.Lock(),
            "keys": threading.Lock(),
        }

    def run(self, flow: Flow[Result]) -> Result:
        """The result of a flow."""
        result: Any = None
        failure: Exception | None = None
        while True:
            try:
                step = flow.send(result) if failure is None else flow.throw(failure)
            except StopIteration as end:
                value: Result = end.value
                return value
            try:
                result, failure = self._do(step), None
            except Exception as raised:  # noqa: BLE001 -- the flow decides
                result, failure = None, raised

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def _do(self, step: Step) -> Any:
        match step:
            case Send():
                return self._send(step)
            case Wait(seconds):
                time.sleep(seconds)
            case OneAtATime(subject, flow, limit):
                lock = self._locks[subject]
                if not lock.acquire(timeout=-1 if limit is None else limit):
                    raise TimeoutError
                try:
                    return self.run(flow)
                finally:
                    lock.release()
            case Ask(function):
                return function()

    def _send(self, step: Send) -> Reply:
        with time_limit(step.time_limit):
            ends_at = time.monotonic() + step.time_limit
            response = self._transport.handle_request(step.request)
            try:
                if step.file is not None and response.is_success:
                    with time_limit(None):
                        for part in response.iter_bytes():
                            step.file.write(part)
                    return Reply(response.status_code, response.headers, b"")
                parts: list[bytes] = []
                for part in response.iter_bytes():
                    parts.append(part)
                    if time.monotonic() > ends_at:  # With a transport of the program.
                        raise _too_slow(step)
            finally:
                response.close()
        return Reply(response.status_code, response.headers, b"".join(parts))


class AsyncRunner:
    """Runs flows in the event loop of their caller; any number of its tasks may share it."""

    def __init__(self, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._transport = transport or httpx2.AsyncHTTPTransport(trust_env=False)
        self._locks: dict[Subject, asyncio.Lock] = {"token": asyncio.Lock(), "keys": asyncio.Lock()}

    async def run(self, flow: Flow[Result]) -> Result:
        """The result of a flow."""
        result: Any = None
        failure: Exception | None = None
        while True:
            try:
                step = flow.send(result) if failure is None else flow.throw(failure)
            except StopIteration as end:
                value: Result = end.value
                return value
            try:
                result, failure = await self._do(step), None
            except Exception as raised:  # noqa: BLE001 -- the flow decides
                result, failure = None, raised

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.aclose()

    async def _do(self, step: Step) -> Any:
        match step:
            case Send():
                return await self._send(step)
            case Wait(seconds):
                await asyncio.sleep(seconds)
            case OneAtATime(subject, flow, limit):
                lock = self._locks[subject]
                async with asyncio.timeout(limit):
                    await lock.acquire()
                try:
                    return await self.run(flow)
                finally:
                    lock.release()
            case Ask(function):
                answer = function()
                return await answer if inspect.isawaitable(answer) else answer

    async def _send(self, step: Send) -> Reply:
        try:
            async with asyncio.timeout(step.time_limit) as limit:
                response = await self._transport.handle_async_request(step.request)
                file = step.file if response.is_success else None
                if file is not None:
                    limit.reschedule(None)
                parts: list[bytes] = []
                try:
                    async for part in response.aiter_bytes():
                        if file is not None:
                            file.write(part)
                        else:
                            parts.append(part)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise _too_slow(step) from None
        return Reply(response.status_code, response.headers, b"".join(parts))


def _too_slow(step: Send) -> httpx2.ReadTimeout:
    return httpx2.ReadTimeout(f"The response took more than {step.time_limit} s.")
