"""The logic of a call, apart from how its client waits.

A flow is a generator. It yields the next step, and gets the result of the step back, so that
threads and asyncio share tokens, retries, pages and verification, and differ in one loop each.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal, TypeAlias, TypeVar

import httpx2


@dataclass(frozen=True)
class Reply:
    """A response with its whole body, decoded."""

    status: int
    headers: httpx2.Headers
    body: bytes

    @property
    def is_success(self) -> bool:
        """True for a status 2xx."""
        return 200 <= self.status < 300


@dataclass(frozen=True)
class Send:
    """Sends the request, and gets the Reply."""

    request: httpx2.Request
    time_limit: float
    """Seconds from sending to the last byte."""
    file: BinaryIO | None = None
    """The file to which the body of a success is written as it arrives; then the limit holds for
    each silence."""


@dataclass(frozen=True)
class Wait:
    """Waits."""

    seconds: float


Subject: TypeAlias = Literal["token", "keys"]


@dataclass(frozen=True)
class OneAtATime:
    """Runs a flow, and gets its result. No two flows of one subject run at a time."""

    subject: Subject
    flow: Flow[Any]
    time_limit: float | None = None
    """Seconds to wait for the others; then a TimeoutError is raised."""


@dataclass(frozen=True)
class Ask:
    """Calls code of the program, and gets its result. For asyncio it may return an awaitable."""

    function: Callable[[], Any]


Step: TypeAlias = Send | Wait | OneAtATime | Ask
Result = TypeVar("Result")
Flow: TypeAlias = Generator[Step, Any, Result]
