"""The failures that are repeated, and the waits before."""

from __future__ import annotations

import random
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

from .calls import Call
from .errors import (
    ApiError,
    RateLimitError,
    ServiceConnectionError,
    ServiceUnavailableError,
    TributaryError,
)

MAX_RETRY_AFTER = 60.0
"""Seconds. A service that asks for more is not waited for: the error is raised at once."""
FIRST_BACKOFF = 0.5
MAX_BACKOFF = 8.0

_IN_PROGRESS = "api_error.idempotency.in_progress"


def pause_before_retry(error: TributaryError, call: Call[Any], retries: int) -> float | None:
    """The seconds until this call may be sent again, or None if it may not. `retries` were made before."""
    if not _may_succeed_later(error, call):
        return None
    retry_after = (error.retry_after if isinstance(error, ApiError) else None) or 0.0
    if retry_after > MAX_RETRY_AFTER:
        return None
    # Spreads callers that failed together; never before the time that the service named.
    return retry_after + random.uniform(0, min(FIRST_BACKOFF * 2.0**retries, MAX_BACKOFF))


def _may_succeed_later(error: TributaryError, call: Call[Any]) -> bool:
    if isinstance(error, RateLimitError):
        return True  # It had no effect, whatever the call.
    if not _may_be_repeated(call):
        return False
    if isinstance(error, ServiceConnectionError):
        return call.file is None  # Else a part of the response is written already.
    if isinstance(error, ServiceUnavailableError):
        return True
    return isinstance(error, ApiError) and error.code == _IN_PROGRESS


def _may_be_repeated(call: Call[Any]) -> bool:
    """True if it takes effect once, however often it arrives, or does no harm: a further token.

    A DELETE that is repeated would report 404 or 410 for what it did itself.
    """
    return call.method in ("GET", "PATCH") or bool(call.idempotency_key or call.form)


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """The seconds that `Retry-After` names, as a number or as a date."""
    value = headers.get("retry-after", "")
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (ValueError, OverflowError):
        return None
