"""Users: your own users, by your own ids, with everything that belongs to them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import BinaryIO, Literal, Unpack

from ..calls import Call, model, nothing, path_of
from ..models import (
    CreatedSimplefinToken,
    Link,
    Transaction,
    UserExport,
    UserLinkAccounts,
    UsersEraseResult,
    UsersListAccountsResult,
    UsersListLinksResult,
    UsersListSimplefinTokensResult,
    UsersListTransactionsResult,
)
from ..pages import PagedCall, next_page_number
from ..params import (
    ExportTable,
    TransactionCategoryFilter,
    TransactionType,
    UsersCreateSimplefinTokenRequest,
)
from .resource import Resource, RunnerT, listing, operation
from .transactions import DEFAULT_SIZE


class AccountsOfLink(UserLinkAccounts):
    """The accounts of one link of a user."""

    link_id: str


class Users(Resource[RunnerT]):
    """Users: your own users, by your own ids (`customer_user.id`). An unknown one has nothing."""

    @listing
    def list_accounts(
        self,
        user_id: str,
        *,
        account_ids: Sequence[str] | None = None,
        institution_ids: Sequence[str] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PagedCall[AccountsOfLink, UsersListAccountsResult]:
        """Lists the accounts of a user, by link, oldest first; one of more than `limit` is split."""
        query = {
            "account_ids": account_ids,
            "institution_ids": institution_ids,
            "limit": limit,
            "cursor": cursor,
        }
        path = path_of("/users/{id}/accounts", id=user_id)
        return PagedCall(
            Call("GET", path, model(UsersListAccountsResult), query=query),
            items=_accounts_by_link,
            next=lambda body: body.next_cursor or None,
        )

    @listing
    def list_links(
        self, user_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> PagedCall[Link, UsersListLinksResult]:
        """Lists the links of a user, oldest first."""
        path = path_of("/users/{id}/links", id=user_id)
        query = {"limit": limit, "cursor": cursor}
        return PagedCall(
            Call("GET", path, model(UsersListLinksResult), query=query),
            items=lambda body: list(body.links.values()),
            next=lambda body: body.next_cursor or None,
        )

    @listing
    def list_transactions(
        self,
        user_id: str,
        *,
        account_id: Sequence[str] | None = None,
        institution_id: Sequence[str] | None = None,
        transaction_type: TransactionType | None = None,
        category: Sequence[TransactionCategoryFilter] | None = None,
        start_date: date | str | None = None,
        end_date: date | str | None = None,
        size: int | None = None,
        page: int | None = None,
    ) -> PagedCall[Transaction, UsersListTransactionsResult]:
        """Lists the transactions of all links of a user, newest first.

        Without dates those of the last 90 days. A group such as `food_and_drink` matches all its
        categories.
        """
        query = {
            "account_id": account_id,
            "institution_id": institution_id,
            "transaction_type": transaction_type,
            "category": category,
            "start_date": start_date,
            "end_date": end_date,
            "size": size,
            "page": page,
        }
        path = path_of("/users/{id}/transactions", id=user_id)
        return PagedCall(
            Call("GET", path, model(UsersListTransactionsResult), query=query),
            items=lambda body: body.transactions,
            next=lambda body: next_page_number(body, body.transactions, size or DEFAULT_SIZE),
            parameter="page",
        )

    @operation
    def export(self, user_id: str) -> Call[UserExport]:
        """Returns everything stored about a user."""
        return Call("GET", path_of("/users/{id}/export", id=user_id), model(UserExport))

    @operation
    def export_to(
        self,
        user_id: str,
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
            path_of("/users/{id}/export", id=user_id),
            nothing,
            query={"format": format, "data": data, "bom": bom},
            file=file,
        )

    @operation
    def erase(self, user_id: str) -> Call[UsersEraseResult]:
        """Erases everything stored about a user.

        `unrevoked_permissions` names those that the user has to end at the source.
        """
        return Call("DELETE", path_of("/users/{id}", id=user_id), model(UsersEraseResult))

    @operation
    def list_simplefin_tokens(self, user_id: str) -> Call[UsersListSimplefinTokensResult]:
        """Returns the SimpleFIN `tokens` of a user, without their secrets, oldest first."""
        path = path_of("/users/{id}/simplefin-tokens", id=user_id)
        return Call("GET", path, model(UsersListSimplefinTokensResult))

    @operation
    def create_simplefin_token(
        self, user_id: str, **body: Unpack[UsersCreateSimplefinTokenRequest]
    ) -> Call[CreatedSimplefinToken]:
        """Creates a token for a finance app. Its `setup_token` is shown this once."""
        path = path_of("/users/{id}/simplefin-tokens", id=user_id)
        return Call("POST", path, model(CreatedSimplefinToken), body=body)

    @operation
    def revoke_simplefin_token(self, user_id: str, token_id: str) -> Call[None]:
        """Ends the access of a finance app."""
        path = path_of("/users/{id}/simplefin-tokens/{token_id}", id=user_id, token_id=token_id)
        return Call("DELETE", path, nothing)


def _accounts_by_link(body: UsersListAccountsResult) -> list[AccountsOfLink]:
    return [
        AccountsOfLink.model_validate({**entry.to_wire(), "link_id": link_id})
        for link_id, entry in body.links.items()
    ]
