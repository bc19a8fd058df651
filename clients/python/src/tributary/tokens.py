"""The access token of a client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from .flows import Flow, Wait
from .secret import Secret
from .shared_fetch import SharedFetch

MAX_SECONDS_EARLY = 60.0


@dataclass(frozen=True)
class Token:
    """An access token, and when it is replaced: before its end."""

    text: Secret
    renew_at: float

    @classmethod
    def received_now(cls, text: str, life: float) -> Token:
        """A token that lives for so many seconds from now on."""
        return cls(Secret(text), monotonic() + life - min(MAX_SECONDS_EARLY, life / 10))


class Tokens:
    """One token for all callers."""

    def __init__(self) -> None:
        self._token: Token | None = None
        self._shared = SharedFetch("token")
        self._begins_at = 0.0

    def current(
        self, fetch: Callable[[], Flow[Token]], wait: float, time_limit: float
    ) -> Flow[tuple[Token, bool]]:
        """The token, and whether it was fetched for this caller, in one attempt.

        All who wait share that attempt. `wait` is the time before it, if this caller makes it.
        """
        token = self._token
        if token is not None and monotonic() < token.renew_at:
            return token, False
        while True:
            limit = max(0.0, self._begins_at - monotonic()) + wait + time_limit
            yield from self._shared.run(lambda: self._renew(fetch, wait), limit)
            token = self._token
            if token is not None:  # Else another caller dropped it already.
                return token, True

    def drop(self, token: Token) -> None:
        """Forgets a token that was refused, unless another one has replaced it."""
        if self._token is token:
            self._token = None

    def _renew(self, fetch: Callable[[], Flow[Token]], wait: float) -> Flow[None]:
        self._begins_at = monotonic() + wait
        if wait > 0:
            yield Wait(wait)
        self._token = yield from fetch()
