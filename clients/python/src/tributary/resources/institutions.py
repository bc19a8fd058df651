"""Institutions: the banks that your users can link."""

from __future__ import annotations

from ..calls import Call, model, path_of, text
from ..models import Institution, InstitutionsListResult
from ..pages import PagedCall
from .resource import Resource, RunnerT, listing, operation


class Institutions(Resource[RunnerT]):
    """Institutions: the banks that your users can link."""

    @listing
    def list(
        self,
        *,
        name: str | None = None,
        featured: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PagedCall[Institution, InstitutionsListResult]:
        """Lists the institutions of this environment. `name` is a whole name or its beginning."""
        query = {"name": name, "featured": featured, "limit": limit, "cursor": cursor}
        return PagedCall(
            Call("GET", "/institutions", model(InstitutionsListResult), query=query),
            items=lambda body: body.institutions,
            next=lambda body: body.cursors.next or None,
        )

    @operation
    def get(self, institution_id: str) -> Call[Institution]:
        """Returns an institution. Its aliases are accepted, too."""
        path = path_of("/institutions/{institution_id}", institution_id=institution_id)
        return Call("GET", path, model(Institution))

    @operation
    def get_avatar(self, institution_id: str) -> Call[str]:
        """Returns the picture of an institution as SVG."""
        path = path_of("/institutions/{institution_id}/avatar.svg", institution_id=institution_id)
        return Call("GET", path, text, needs_token=False)
