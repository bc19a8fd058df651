"""A report of each request that the client sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from .errors import TributaryError


@dataclass(frozen=True)
class Attempt:
    """One request and its outcome, for logs and metrics. It has no secret, no body and no query."""

    method: str
    path: str
    """Has the ids of links and users."""
    number: int
    """1 for the first attempt of a call."""
    seconds: float
    """From sending to the last byte."""
    status: int | None
    """None when no response arrived."""
    request_id: str | None
    error: TributaryError | None
    """None after a success."""
    will_retry: bool
    """True if another attempt follows."""


OnAttempt: TypeAlias = Callable[[Attempt], object]
"""An error that it raises is logged, and does not reach the call."""
