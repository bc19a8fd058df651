"""Accounts: balances and account numbers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ..calls import Call, model, path_of
from ..models import (
    AccountsGetResult,
    AccountsListBalancesResult,
    AccountsListNumbersResult,
    AccountsListResult,
)
from .resource import Resource, RunnerT, operation


class Accounts(Resource[RunnerT]):
    """Accounts: balances and account numbers. Reads return stored data and never call a bank."""

    @operation
    def list(
        self, link_id: str, *, account_ids: Sequence[str] | None = None
    ) -> Call[AccountsListResult]:
        """Returns the `accounts` of a link that are open and shared, and the `link`."""
        return Call(
            "GET",
            path_of("/links/{id}/accounts", id=link_id),
            model(AccountsListResult),
            query={"account_ids": account_ids},
        )

    @operation
    def get(self, link_id: str, account_id: str) -> Call[AccountsGetResult]:
        """Returns one `account`, even a closed one, and the `link`."""
        path = path_of("/links/{id}/accounts/{account_id}", id=link_id, account_id=account_id)
        return Call("GET", path, model(AccountsGetResult))

    @operation
    def list_balances(
        self,
        link_id: str,
        account_id: str,
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
    ) -> Call[AccountsListBalancesResult]:
        """Returns the balances of the days on which they changed, oldest first.

        `opening` is the last entry before `from_`. Without dates: the last 91 days; at most 731.
        """
        return Call(
            "GET",
            path_of(
                "/links/{id}/accounts/{account_id}/balances", id=link_id, account_id=account_id
            ),
            model(AccountsListBalancesResult),
            query={"from": from_, "to": to},
        )

    @operation
    def list_numbers(
        self, link_id: str, *, account_ids: Sequence[str] | None = None
    ) -> Call[AccountsListNumbersResult]:
        """Returns the accounts that have account numbers, with them, and the `link`."""
        return Call(
            "GET",
            path_of("/links/{id}/accounts/numbers", id=link_id),
            model(AccountsListNumbersResult),
            query={"account_ids": account_ids},
        )
