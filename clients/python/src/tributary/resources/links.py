"""Links: the connections of your users to their institutions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import BinaryIO, Literal, Unpack

from ..calls import Call, key_or_new, model, nothing, path_of
from ..models import Link, LinkExport, LinksListResult
from ..pages import PagedCall
from ..params import (
    ExportTable,
    LinkErrorInput,
    LinksImportRequest,
    LinksImportTransactionsRequest,
    LinksRefreshProductsRequest,
    LinkStateInput,
    LinksUpdateRequest,
    SortOrder,
    UnlistedLinks,
)
from .resource import Resource, RunnerT, listing, operation


class Links(Resource[RunnerT]):
    """Links: the connections of your users to their institutions."""

    @listing
    def list(
        self,
        *,
        state: LinkStateInput | None = None,
        error: LinkErrorInput | None = None,
        institution_id: str | None = None,
        provider: str | None = None,
        user: str | None = None,
        tag: str | None = None,
        updated_since: datetime | str | None = None,
        include: Sequence[UnlistedLinks] | None = None,
        order: SortOrder | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PagedCall[Link, LinksListResult]:
        """Lists the links that were connected at least once or imported, oldest first.

        With `updated_since`, oldest update first. `order="desc"` reverses the order, and `include`
        adds links that were never connected or were deleted in the last 90 days. `limit` is the
        size of a page.
        """
        query = {
            "state": state,
            "error": error,
            "institution_id": institution_id,
            "provider": provider,
            "user": user,
            "tag": tag,
            "updated_since": updated_since,
            "include": include,
            "order": order,
            "limit": limit,
            "cursor": cursor,
        }
        return PagedCall(
            Call("GET", "/links", model(LinksListResult), query=query),
            items=lambda body: body.links,
            next=lambda body: body.next_cursor or None,
        )

    @operation
    def get(self, link_id: str) -> Call[Link]:
        """Returns a link. A deleted one is returned for 90 days, in the state `deleted`."""
        return Call("GET", path_of("/links/{id}", id=link_id), model(Link))

    @operation
    def update(self, link_id: str, **body: Unpack[LinksUpdateRequest]) -> Call[Link]:
        """Changes the `webhook` (None removes it) or the `tags` of a link."""
        return Call("PATCH", path_of("/links/{id}", id=link_id), model(Link), body=body)

    @operation
    def delete(self, link_id: str) -> Call[None]:
        """Disconnects a link: its data is erased, and its permission at the institution ends.

        It is sent once. After a ServiceConnectionError, `get` shows whether it took effect.
        """
        return Call("DELETE", path_of("/links/{id}", id=link_id), nothing)

    @operation
    def reset(self, link_id: str) -> Call[Link]:
        """Makes a Sandbox link need its owner: `error` with `auth_expired`."""
        return Call("POST", path_of("/links/{id}/reset", id=link_id), model(Link))

    @operation
    def refresh_products(
        self,
        link_id: str,
        *,
        idempotency_key: str | None = None,
        **body: Unpack[LinksRefreshProductsRequest],
    ) -> Call[Link]:
        """Requests fresh data of `products`, and returns the link as it is now.

        The webhook `link.product_refresh` announces the end of the refresh. A Live link allows one
        request in an hour: a RateLimitError says in `retry_after` when the next one is possible.
        """
        return Call(
            "POST",
            path_of("/links/{id}/products", id=link_id),
            model(Link),
            body=body,
            idempotency_key=key_or_new(idempotency_key),
        )

    @operation
    def import_(
        self, *, idempotency_key: str | None = None, **body: Unpack[LinksImportRequest]
    ) -> Call[Link]:
        """Creates a link of data that you bring along (`links.import`; `import` is a word of Python)."""
        return Call(
            "POST",
            "/links/import",
            model(Link),
            body=body,
            idempotency_key=key_or_new(idempotency_key),
        )

    @operation
    def import_transactions(
        self,
        link_id: str,
        *,
        idempotency_key: str | None = None,
        **body: Unpack[LinksImportTransactionsRequest],
    ) -> Call[Link]:
        """Adds transactions to an imported link."""
        return Call(
            "POST",
            path_of("/links/{id}/import/transactions", id=link_id),
            model(Link),
            body=body,
            idempotency_key=key_or_new(idempotency_key),
        )

    @operation
    def export(self, link_id: str) -> Call[LinkExport]:
        """Returns everything stored about a link."""
        return Call("GET", path_of("/links/{id}/export", id=link_id), model(LinkExport))

    @operation
    def export_to(
        self,
        link_id: str,
        file: BinaryIO,
        *,
        format: Literal["jsonl", "csv"],
        data: ExportTable | None = None,
        bom: bool | None = None,
    ) -> Call[None]:
        """Writes the same as JSON lines, or one table as CSV, to a file as it arrives.

        It may be large. After a ServiceConnectionError the file is incomplete. `data` names the
        table, by default the current transactions; `bom` puts a byte order mark before CSV, which
        Excel needs.
        """
        return Call(
            "GET",
            path_of("/links/{id}/export", id=link_id),
            nothing,
            query={"format": format, "data": data, "bom": bom},
            file=file,
        )
