"""Liabilities: debts."""

from __future__ import annotations

from collections.abc import Sequence

from ..calls import Call, model, path_of
from ..models import LiabilitiesListResult, Liability
from ..pages import PagedCall
from .resource import Resource, RunnerT, listing


class Liabilities(Resource[RunnerT]):
    """Liabilities: debts."""

    @listing
    def list(
        self,
        link_id: str,
        *,
        account_ids: Sequence[str] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PagedCall[Liability, LiabilitiesListResult]:
        """Lists the cards, credit lines and loans of a link, one debt per account."""
        query = {"account_ids": account_ids, "limit": limit, "cursor": cursor}
        path = path_of("/links/{id}/liabilities", id=link_id)
        return PagedCall(
            Call("GET", path, model(LiabilitiesListResult), query=query),
            items=lambda body: body.liabilities,
            next=lambda body: body.next_cursor or None,
        )
