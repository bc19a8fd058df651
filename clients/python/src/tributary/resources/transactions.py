"""Transactions: lists for people, and changes for copies."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from datetime import date
from typing import Any, overload

from ..calls import Call, model, path_of
from ..models import (
    Transaction,
    TransactionsGetNumbersResult,
    TransactionsListResult,
    TransactionsSyncResult,
)
from ..pages import PagedCall, next_page_number
from ..runners import AsyncRunner, SyncRunner
from ..transaction_sync import (
    AsyncSyncStore,
    SyncStore,
    SyncSummary,
    sync_call,
    walk,
)
from .resource import Resource, RunnerT, listing, operation

DEFAULT_SIZE = 50


class Transactions(Resource[RunnerT]):
    """Transactions: lists for people, and changes for copies."""

    @listing
    def list(
        self,
        link_id: str,
        *,
        account_ids: Sequence[str] | None = None,
        start_date: date | str | None = None,
        end_date: date | str | None = None,
        size: int | None = None,
        page: int | None = None,
    ) -> PagedCall[Transaction, TransactionsListResult]:
        """Lists the transactions of a link, newest first; without dates those of the last 90 days.

        To keep a copy use `sync_into`: pages move when transactions arrive.
        """
        query = {
            "account_ids": account_ids,
            "start_date": start_date,
            "end_date": end_date,
            "size": size,
            "page": page,
        }
        path = path_of("/links/{id}/transactions", id=link_id)
        return PagedCall(
            Call("GET", path, model(TransactionsListResult), query=query),
            items=lambda body: body.transactions,
            next=lambda body: next_page_number(body, body.transactions, size or DEFAULT_SIZE),
            parameter="page",
        )

    @operation
    def sync(
        self, link_id: str, *, cursor: str | None = None, size: int | None = None
    ) -> Call[TransactionsSyncResult]:
        """Returns one page of the changes since a cursor; `sync_into` reads all of them."""
        return sync_call(link_id, cursor, size)

    @overload
    def sync_into(
        self: Transactions[SyncRunner], link_id: str, store: SyncStore, *, size: int = ...
    ) -> SyncSummary: ...

    @overload
    def sync_into(
        self: Transactions[AsyncRunner],
        link_id: str,
        store: SyncStore | AsyncSyncStore,
        *,
        size: int = ...,
    ) -> Coroutine[Any, Any, SyncSummary]: ...

    def sync_into(self, link_id: str, store: Any, *, size: int = 500) -> Any:
        """Brings a copy up to date: commits each page and its position to the store, in one step.

        Returns what was committed. A crash at any point repeats at most one page of `size` rows.
        A cursor that the service refuses, as after a restored backup, starts the walk again into a
        replacement, which takes the place of the copy when it is complete.
        """
        return self._runner.run(walk(link_id, store, size, self._engine.make))

    @operation
    def get_numbers(self, link_id: str, transaction_id: str) -> Call[TransactionsGetNumbersResult]:
        """Returns the full account number of the counterparty of a transaction."""
        path = path_of(
            "/links/{id}/transactions/{transaction_id}/numbers",
            id=link_id,
            transaction_id=transaction_id,
        )
        return Call("GET", path, model(TransactionsGetNumbersResult))
