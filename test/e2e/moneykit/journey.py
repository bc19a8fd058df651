"""The calls of an application that was written for MoneyKit, with its Python SDK. Prints the outcome of each as JSON."""

import json
import sys
from datetime import date

import moneykit
from pydantic import ValidationError

host, client_id, client_secret, exchangeable_token, with_rows, granted = sys.argv[1:]
client = moneykit.ApiClient(moneykit.Configuration(host=host))
tokens = moneykit.AccessTokenApi(client)
sessions = moneykit.LinkSessionApi(client)
links = moneykit.LinksApi(client)
accounts = moneykit.AccountsApi(client)
transactions = moneykit.TransactionsApi(client)
users = moneykit.UsersApi(client)
institutions = moneykit.InstitutionsApi(client)

outcomes: dict[str, object] = {}


def call(name, made, shown=lambda result: True):
    """Keeps what a call shows of its result, or the error that the SDK raises."""
    try:
        result = made()
        outcomes[name] = shown(result)
        return result
    except (TypeError, ValidationError) as error:
        outcomes[name] = type(error).__name__
    except moneykit.ApiException as error:
        outcomes[name] = f"{error.status} {json.loads(error.body or error.data)['error_code']}"
    return None


def raw(response):
    """The body of a response that the SDK has not read."""
    if response.status != 200:
        raise moneykit.ApiException(http_resp=response)
    return json.loads(response.data)


user = {"id": "user-4711"}
token = call(
    "create_access_token",
    lambda: tokens.create_access_token(
        grant_type="client_credentials", client_id=client_id, client_secret=client_secret
    ),
    lambda result: result.token_type,
)
client.configuration.access_token = token.access_token
call("instrospect_client", tokens.instrospect_client)
call("get_well_known_jwks", tokens.get_well_known_jwks)
call(
    "create_link_session",
    lambda: sessions.create_link_session(
        moneykit.CreateLinkSessionRequest.from_dict(
            {"customer_user": user, "redirect_uri": "http://localhost:3000/return"}
        )
    ),
    lambda result: result.link_session_token.startswith("sandbox_ls_"),
)
exchanged = call(
    "exchange_token",
    lambda: sessions.exchange_token(
        moneykit.ExchangeTokenRequest(exchangeable_token=exchangeable_token)
    ),
    lambda result: result.link.state,
)
linked = exchanged.link_id
call("get_link", lambda: links.get_link(linked), lambda link: [link.state, link.provider])
call(
    "refresh_products",
    lambda: moneykit.ProductsApi(client).refresh_products(
        linked, moneykit.RefreshProductsRequest.from_dict({"products": ["accounts"]})
    ),
    lambda link: link.state,
)
call(
    "trigger_test_link_webhook_event",
    lambda: moneykit.WebhooksApi(client).trigger_test_link_webhook_event(
        linked,
        moneykit.WebhookTestLinkRequest.from_dict(
            {"webhook_event": "link.state_changed", "webhook_idempotency_key": "try-1"}
        ),
    ),
)
imported = call(
    "import_link",
    lambda: links.import_link(
        moneykit.ImportLinkRequest.from_dict(
            {
                "customer_user": user,
                "provider": "moneykit",
                "institution_id": "sandbox-instant-bank",
                "accounts": [
                    {
                        "account_id": "a",
                        "name": "Checking",
                        "type": "checking",
                        "mask": "1101",
                        "balances": {"currency": "USD", "current": 12.5},
                    }
                ],
                "transactions": [],
            }
        )
    ),
    lambda link: [link.state, link.error_code],
)
call(
    "import_transactions",
    lambda: links.import_transactions(
        imported.link_id,
        moneykit.ImportTransactionsRequest.from_dict(
            {"transactions": [{"account_id": "a", "amount": "10", "date": "2026-02-02"}]}
        ),
    ),
    lambda link: link.state,
)
call(
    "update_link",
    lambda: links.update_link(
        imported.link_id,
        moneykit.UpdateLinkRequest.from_dict({"webhook": "https://app.example/hooks"}),
    ),
    lambda link: link.webhook,
)
call("get_links", links.get_links, lambda page: len(page.links))
listed = call(
    "get_accounts", lambda: accounts.get_accounts(imported.link_id), lambda body: len(body.accounts)
)
call(
    "get_account",
    lambda: accounts.get_account(imported.link_id, listed.accounts[0].account_id),
    lambda body: body.account.balances.current,
)
call("get_account_numbers", lambda: moneykit.AccountNumbersApi(client).get_account_numbers(granted))
call("get_identities", lambda: moneykit.IdentityApi(client).get_identities(granted))
window = {"start_date": date(2026, 1, 1), "end_date": date(2026, 3, 1)}
call("get_transactions", lambda: transactions.get_transactions(with_rows, **window))
call(
    "get_transactions_without_preload_content",
    lambda: raw(transactions.get_transactions_without_preload_content(with_rows, **window)),
    lambda body: sorted(row["amount"] for row in body["transactions"]),
)
call(
    "get_transactions_sync_without_preload_content",
    lambda: raw(transactions.get_transactions_sync_without_preload_content(with_rows)),
    lambda body: len(body["transactions"]["created"]),
)
call("get_user_links", lambda: users.get_user_links(user["id"]))
call(
    "get_user_links_without_preload_content",
    lambda: raw(users.get_user_links_without_preload_content(user["id"])),
    lambda body: len(body["links"]),
)
call(
    "get_user_accounts_without_preload_content",
    lambda: raw(users.get_user_accounts_without_preload_content(user["id"])),
    lambda body: len(body["links"]),
)
call(
    "get_user_transactions_without_preload_content",
    lambda: raw(users.get_user_transactions_without_preload_content(user["id"], **window)),
    lambda body: body["total"],
)
call("get_institutions", institutions.get_institutions, lambda page: len(page.institutions) > 0)
call(
    "get_institution",
    lambda: institutions.get_institution("sandbox-instant-bank"),
    lambda body: body.name,
)
call("get_holdings", lambda: moneykit.InvestmentsApi(client).get_holdings(linked))
call("reset_link", lambda: links.reset_link(linked), lambda link: link.error_code)
call("delete_link", lambda: links.delete_link(imported.link_id), lambda body: body is None)
call("get_link, deleted", lambda: links.get_link(imported.link_id))
print(json.dumps(outcomes, default=str))
