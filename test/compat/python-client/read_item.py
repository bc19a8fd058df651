"""Reads an Item with Plaid's client for Python: a new one, or that of a public token. Prints what its typed models hold as JSON."""

import datetime
import json
import sys
import time

import plaid
from plaid.api import plaid_api
from plaid.model.investments_holdings_get_request import InvestmentsHoldingsGetRequest
from plaid.model.investments_transactions_get_request import InvestmentsTransactionsGetRequest
from plaid.model.item_public_token_exchange_request import ItemPublicTokenExchangeRequest
from plaid.model.liabilities_get_request import LiabilitiesGetRequest
from plaid.model.products import Products
from plaid.model.sandbox_public_token_create_request import SandboxPublicTokenCreateRequest
from plaid.model.transactions_recurring_get_request import TransactionsRecurringGetRequest

host, client_id, secret, start, end, *given = sys.argv[1:]
client = plaid_api.PlaidApi(
    plaid.ApiClient(
        plaid.Configuration(host=host, api_key={"clientId": client_id, "secret": secret})
    )
)


def when_ready(call, request, minutes=2):
    """Repeats a call until the first fetch of its product is complete."""
    deadline = time.monotonic() + minutes * 60
    while True:
        try:
            return call(request)
        except plaid.ApiException as error:
            code = json.loads(error.body)["error_code"]
            if code != "PRODUCT_NOT_READY" or time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def rendered(value):
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not a value of JSON")


def create_public_token():
    request = SandboxPublicTokenCreateRequest(
        institution_id="ins_109508",
        initial_products=[
            Products(name) for name in ("transactions", "investments", "liabilities")
        ],
    )
    return client.sandbox_public_token_create(request).public_token


public_token = given[0] if given else create_public_token()
exchanged = client.item_public_token_exchange(
    ItemPublicTokenExchangeRequest(public_token=public_token)
)
token = exchanged.access_token
period = {
    "start_date": datetime.date.fromisoformat(start),
    "end_date": datetime.date.fromisoformat(end),
}
responses = {
    "exchange": exchanged,
    "recurring": when_ready(
        client.transactions_recurring_get, TransactionsRecurringGetRequest(access_token=token)
    ),
    "holdings": when_ready(
        client.investments_holdings_get, InvestmentsHoldingsGetRequest(access_token=token)
    ),
    "trades": when_ready(
        client.investments_transactions_get,
        InvestmentsTransactionsGetRequest(access_token=token, **period),
    ),
    "liabilities": when_ready(client.liabilities_get, LiabilitiesGetRequest(access_token=token)),
}
json.dump(
    {name: response.to_dict() for name, response in responses.items()}, sys.stdout, default=rendered
)
