"""One request for all callers who wait for the same thing."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from .errors import ServiceConnectionError, TributaryError
from .flows import Flow, OneAtATime, Subject


class SharedFetch:
    """Runs a fetch for all who ask for it while it is in flight. They share its failure, too."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._completed = 0
        self._failure: TributaryError | None = None

    def run(self, fetch: Callable[[], Flow[None]], time_limit: float | None = None) -> Flow[None]:
        """Runs `fetch`, or waits for the one that is in flight, at most so many seconds."""
        try:
            yield OneAtATime(self._subject, self._alone(fetch, self._completed), time_limit)
        except TimeoutError:
            raise ServiceConnectionError(
                f"The {self._subject} did not arrive in time.", "timeout"
            ) from None

    def _alone(self, fetch: Callable[[], Flow[None]], completed_before: int) -> Flow[None]:
        if self._completed != completed_before:  # While this caller waited.
            if self._failure is not None:
                raise copy(self._failure)
            return
        # A canceled fetch does not complete: the next caller fetches.
        try:
            yield from fetch()
        except TributaryError as error:
            self._failure = error
            self._completed += 1
            raise
        self._failure = None
        self._completed += 1
