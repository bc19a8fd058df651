"""Recurring: payments that return."""

from __future__ import annotations

from collections.abc import Sequence

from ..calls import Call, model, path_of
from ..models import RecurringListResult, RecurringStream
from ..pages import PagedCall
from ..params import RecurringStreamStatusInput
from .resource import Resource, RunnerT, listing


class Recurring(Resource[RunnerT]):
    """Recurring: payments that return."""

    @listing
    def list(
        self,
        link_id: str,
        *,
        account_ids: Sequence[str] | None = None,
        status: RecurringStreamStatusInput | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PagedCall[RecurringStream, RecurringListResult]:
        """Lists salaries, bills and subscriptions of a link, in the order in which they were found."""
        query = {"account_ids": account_ids, "status": status, "limit": limit, "cursor": cursor}
        path = path_of("/links/{id}/recurring", id=link_id)
        return PagedCall(
            Call("GET", path, model(RecurringListResult), query=query),
            items=lambda body: body.streams,
            next=lambda body: body.next_cursor or None,
        )
