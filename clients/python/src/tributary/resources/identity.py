"""Identity: the owners of accounts."""

from __future__ import annotations

from collections.abc import Sequence

from ..calls import Call, model, path_of
from ..models import IdentityGetResult
from .resource import Resource, RunnerT, operation


class Identity(Resource[RunnerT]):
    """Identity: the owners of accounts."""

    @operation
    def get(
        self, link_id: str, *, account_ids: Sequence[str] | None = None
    ) -> Call[IdentityGetResult]:
        """Returns the accounts of a link with their `owners`, and the `link`."""
        return Call(
            "GET",
            path_of("/links/{id}/identity", id=link_id),
            model(IdentityGetResult),
            query={"account_ids": account_ids},
        )
