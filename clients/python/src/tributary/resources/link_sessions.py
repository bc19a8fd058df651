"""Link sessions: the way of one person through Connect."""

from __future__ import annotations

from datetime import datetime
from typing import Unpack

from ..calls import Call, key_or_new, model, path_of
from ..models import (
    LinkSession,
    LinkSessionInFull,
    LinkSessionsCreateResult,
    LinkSessionsExchangeTokenResult,
    LinkSessionsListResult,
)
from ..pages import PagedCall
from ..params import (
    LinkSessionsCreateRequest,
    LinkSessionsExchangeTokenRequest,
    LinkSessionStateInput,
)
from .resource import Resource, RunnerT, listing, operation


class LinkSessions(Resource[RunnerT]):
    """Link sessions: the way of one person through Connect."""

    @operation
    def create(
        self, *, idempotency_key: str | None = None, **body: Unpack[LinkSessionsCreateRequest]
    ) -> Call[LinkSessionsCreateResult]:
        """Creates a session: `create(customer_user={"id": "user-1"})`.

        Give its `link_session_token` to Connect, or, with `hosted`, its `hosted_url` to the user.
        With `existing_link_id` the session repairs that link.
        """
        return Call(
            "POST",
            "/link-session",
            model(LinkSessionsCreateResult),
            body=body,
            idempotency_key=key_or_new(idempotency_key),
        )

    @operation
    def exchange_token(
        self,
        *,
        idempotency_key: str | None = None,
        **body: Unpack[LinkSessionsExchangeTokenRequest],
    ) -> Call[LinkSessionsExchangeTokenResult]:
        """Exchanges the `exchangeable_token` of a finished session for its link.

        With `expected_customer_user_id`, a token of another user is a PermissionDeniedError.
        """
        return Call(
            "POST",
            "/link-session/exchange-token",
            model(LinkSessionsExchangeTokenResult),
            body=body,
            idempotency_key=key_or_new(idempotency_key),
        )

    @listing
    def list(
        self,
        *,
        state: LinkSessionStateInput | None = None,
        user: str | None = None,
        link_id: str | None = None,
        institution_id: str | None = None,
        created_since: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PagedCall[LinkSession, LinkSessionsListResult]:
        """Lists the sessions of the last 90 days, newest first. `limit` is the size of a page."""
        query = {
            "state": state,
            "user": user,
            "link_id": link_id,
            "institution_id": institution_id,
            "created_since": created_since,
            "limit": limit,
            "cursor": cursor,
        }
        return PagedCall(
            Call("GET", "/link-sessions", model(LinkSessionsListResult), query=query),
            items=lambda body: body.link_sessions,
            next=lambda body: body.next_cursor or None,
        )

    @operation
    def get(self, session_id: str) -> Call[LinkSessionInFull]:
        """Returns a session; of a finished hosted one with its `exchangeable_token`."""
        path = path_of("/link-sessions/{id}", id=session_id)
        return Call("GET", path, model(LinkSessionInFull))
