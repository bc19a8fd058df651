"""Holdings: positions of investment accounts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ..calls import Call, model, path_of
from ..models import Holding, HoldingsListResult
from ..pages import PagedCall
from .resource import Resource, RunnerT, listing


class Holdings(Resource[RunnerT]):
    """Holdings: positions of investment accounts."""

    @listing
    def list(
        self,
        link_id: str,
        *,
        account_ids: Sequence[str] | None = None,
        on: date | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PagedCall[Holding, HoldingsListResult]:
        """Lists the positions of a link now, or `on` a day in the past.

        The `body` of a page has their securities, and each account whose last position is on it
        with its cash.
        """
        query = {"account_ids": account_ids, "on": on, "limit": limit, "cursor": cursor}
        path = path_of("/links/{id}/holdings", id=link_id)
        return PagedCall(
            Call("GET", path, model(HoldingsListResult), query=query),
            items=lambda body: body.holdings,
            next=lambda body: body.next_cursor or None,
        )
