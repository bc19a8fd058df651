"""A result together with the response that brought it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True)
class ApiResponse(Generic[Result_co]):
    """The return value of `links.get.with_response(…)`, and `page.response` of a list."""

    data: Result_co
    """The return value of the method by itself."""
    status: int
    headers: Mapping[str, str]
    """Their names are found in any case."""
    request_id: str | None
    """Include it in a question to the operator, whose log has it."""
    is_replayed: bool
    """True if the service repeated its response to an earlier call with the same idempotency key."""
