"""Keeping a copy of the transactions of a link.

`client.transactions.sync_into(link_id, store)` walks from the position that the store loads to the
newest change, and gives each page to the store, which commits its rows and its position together.
A crash at any point repeats at most one page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from .calls import Call, model, path_of
from .errors import ValidationError
from .flows import Ask, Flow
from .models import Transaction, TransactionsSyncResult


@dataclass(frozen=True)
class SyncPosition:
    """The position of a copy."""

    cursor: str
    restarting: bool = False
    """Whether the cursor belongs to the replacement, because an earlier one was refused."""


@dataclass(frozen=True)
class Replacement:
    """What a page does to the replacement, which is filled beside the copy after a refused cursor."""

    begins: bool
    """Whether the replacement is emptied before the rows of the page are put into it."""
    completes: bool
    """Whether the replacement takes the place of the copy after the page."""


@dataclass(frozen=True)
class SyncedPage:
    """What a store commits in one transaction."""

    upserted: list[Transaction]
    """Rows to put: those that were created and those that were updated."""
    removed: list[str]
    """Ids of rows to delete if they are present."""
    position: SyncPosition
    """The position to store with them."""
    replacement: Replacement | None
    """None: the rows go into the copy. Otherwise they go into the replacement beside it."""


class SyncStore(Protocol):
    """Where a program keeps its copy."""

    def load(self, link_id: str) -> SyncPosition | None:
        """The position that was committed last, or None."""

    def commit(self, link_id: str, page: SyncedPage) -> None:
        """Stores the rows and the position of a page, in one transaction."""


class AsyncSyncStore(Protocol):
    """The same for asyncio."""

    def load(self, link_id: str) -> Awaitable[SyncPosition | None]:
        """The position that was committed last, or None."""

    def commit(self, link_id: str, page: SyncedPage) -> Awaitable[None]:
        """Stores the rows and the position of a page, in one transaction."""


@dataclass
class SyncSummary:
    """What one walk has committed."""

    pages: int = 0
    created: int = 0
    updated: int = 0
    removed: int = 0
    restarted: bool = False
    """Whether the cursor was refused, so that the walk began again with a replacement."""


@dataclass
class _Copy:
    position: SyncPosition | None = None
    rows: dict[str, Transaction] = field(default_factory=dict)
    replacement: dict[str, Transaction] = field(default_factory=dict)


class MemoryStore:
    """A copy that ends with the process, for tests and short programs."""

    def __init__(self) -> None:
        self._copies: dict[str, _Copy] = {}

    def transactions(self, link_id: str) -> dict[str, Transaction]:
        """The copy of a link: its transactions by their ids."""
        return self._copy(link_id).rows

    def load(self, link_id: str) -> SyncPosition | None:
        """The position that was committed last, or None."""
        return self._copy(link_id).position

    def commit(self, link_id: str, page: SyncedPage) -> None:
        """Stores the rows and the position of a page."""
        copy = self._copy(link_id)
        if page.replacement and page.replacement.begins:
            copy.replacement = {}
        rows = copy.replacement if page.replacement else copy.rows
        rows.update({row.transaction_id: row for row in page.upserted})
        for transaction_id in page.removed:
            rows.pop(transaction_id, None)
        if page.replacement and page.replacement.completes:
            copy.rows, copy.replacement = copy.replacement, {}
        copy.position = page.position

    def _copy(self, link_id: str) -> _Copy:
        return self._copies.setdefault(link_id, _Copy())


def sync_call(link_id: str, cursor: str | None, size: int | None) -> Call[TransactionsSyncResult]:
    """One page of changes since a cursor."""
    return Call(
        "GET",
        path_of("/links/{id}/transactions/sync", id=link_id),
        model(TransactionsSyncResult),
        query={"cursor": cursor or None, "size": size},
    )


def walk(
    link_id: str,
    store: SyncStore | AsyncSyncStore,
    size: int,
    make: Callable[[Call[TransactionsSyncResult]], Flow[TransactionsSyncResult]],
) -> Flow[SyncSummary]:
    """Commits every page from the position of the store to the newest change."""
    position: SyncPosition = (yield Ask(partial(store.load, link_id))) or SyncPosition("")
    counts = SyncSummary()
    begins = False
    while True:
        try:
            result = yield from make(sync_call(link_id, position.cursor, size))
        except ValidationError as error:
            if counts.restarted or not _refuses_cursor(error):
                raise
            counts.restarted = begins = True
            position = SyncPosition("", restarting=True)
            continue
        page = _page(result, position, begins)
        yield Ask(partial(store.commit, link_id, page))
        counts.pages += 1
        counts.created += len(result.transactions.created)
        counts.updated += len(result.transactions.updated)
        counts.removed += len(result.transactions.removed)
        if not result.has_more:
            return counts
        position, begins = page.position, False


def _page(result: TransactionsSyncResult, position: SyncPosition, begins: bool) -> SyncedPage:
    changes = result.transactions
    return SyncedPage(
        upserted=[*changes.created, *changes.updated],
        removed=[*changes.removed],
        position=SyncPosition(result.cursor.next, position.restarting and result.has_more),
        replacement=Replacement(begins, completes=not result.has_more)
        if position.restarting
        else None,
    )


def _refuses_cursor(error: ValidationError) -> bool:
    return any(issue.location == ("query", "cursor") for issue in error.issues)
