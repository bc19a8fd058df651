"""InvestmentTransactions: purchases, sales and other movements of investment accounts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ..calls import Call, model, path_of
from ..models import (
    InvestmentTransaction,
    InvestmentTransactionsListResult,
    InvestmentTransactionsSyncResult,
)
from ..pages import PagedCall, next_page_number
from .resource import Resource, RunnerT, listing, operation

DEFAULT_SIZE = 50


class InvestmentTransactions(Resource[RunnerT]):
    """InvestmentTransactions: purchases, sales and other movements of investment accounts."""

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
    ) -> PagedCall[InvestmentTransaction, InvestmentTransactionsListResult]:
        """Lists the rows of a link, newest first; without dates those of the last 90 days.

        To keep a copy use `sync`: pages move when rows arrive.
        """
        query = {
            "account_ids": account_ids,
            "start_date": start_date,
            "end_date": end_date,
            "size": size,
            "page": page,
        }
        path = path_of("/links/{id}/investment-transactions", id=link_id)
        return PagedCall(
            Call("GET", path, model(InvestmentTransactionsListResult), query=query),
            items=lambda body: body.investment_transactions,
            next=lambda body: next_page_number(
                body, body.investment_transactions, size or DEFAULT_SIZE
            ),
            parameter="page",
        )

    @operation
    def sync(
        self, link_id: str, *, cursor: str | None = None, size: int | None = None
    ) -> Call[InvestmentTransactionsSyncResult]:
        """Returns one page of the changes since a cursor; repeat while `has_more` is true."""
        path = path_of("/links/{id}/investment-transactions/sync", id=link_id)
        query = {"cursor": cursor or None, "size": size}
        return Call("GET", path, model(InvestmentTransactionsSyncResult), query=query)
