"""An app as a type checker reads it. It is never run."""

from decimal import Decimal
from typing import assert_type

from tributary import (
    ApiResponse,
    AsyncTributary,
    Attempt,
    MemoryStore,
    Page,
    ReceivedEvent,
    SyncSummary,
    Tributary,
)
from tributary.models import (
    CreatedSandboxLink,
    CreatedSandboxToken,
    Link,
    LinksListResult,
    LinkStateChanged,
    OtherWebhookBody,
    Transaction,
    WebhookEventBody,
)


def with_threads(client: Tributary) -> None:
    session = client.link_sessions.create(
        customer_user={"id": "user-1"}, tags=["tier:gold"], idempotency_key="key"
    )
    assert_type(session.link_session_token, str)
    assert_type(client.links.get("mk_1"), Link)
    assert_type(client.links.get.with_response("mk_1"), ApiResponse[Link])
    assert_type(client.links.list().page().response, ApiResponse[LinksListResult])
    assert_type(client.links.delete("mk_1"), None)
    assert_type(client.links.list(state="error", limit=10).page(), Page[Link, LinksListResult])
    for link in client.links.list(order="desc", include=["deleted", "never_connected"]):
        assert_type(link, Link)
    for row in client.transactions.list("mk_1"):
        assert_type(row, Transaction)
        assert_type(row.amount, Decimal)
    assert_type(client.transactions.sync_into("mk_1", MemoryStore()), SyncSummary)
    event = client.webhooks.verify(b"{}", {"service-signature": "x"})
    assert_type(event, ReceivedEvent)
    if isinstance(event, LinkStateChanged) and event.state == "error":
        client.webhooks.wsgi_handler(with_event)
        client.with_options(timeout=5).links.refresh_products(event.link_id, products=["accounts"])


def with_log(client: Tributary) -> None:
    for event in client.webhooks.list_events():
        assert_type(event.body, WebhookEventBody)
        if isinstance(event.body, LinkStateChanged):
            with_event(event.body)
            assert_type(event.body.error_message, str | None)
        elif isinstance(event.body, OtherWebhookBody):
            assert_type(event.body.webhook_event, str | None)


def with_sandbox(client: Tributary) -> None:
    assert_type(client.sandbox.create_link(), CreatedSandboxLink)
    assert_type(client.sandbox.create_link(result="link").link, Link)
    token = client.sandbox.create_link(result="exchangeable_token", customer_user={"id": "user-1"})
    assert_type(token, CreatedSandboxToken)
    assert_type(
        client.sandbox.create_link.with_response(result="exchangeable_token"),
        ApiResponse[CreatedSandboxToken],
    )


def with_event(event: ReceivedEvent) -> None:
    print(event.webhook_event)


def with_attempt(attempt: Attempt) -> None:
    print(attempt.path, attempt.status, attempt.seconds)


def with_options() -> None:
    Tributary(headers={"x-team": "ledger"}, on_attempt=with_attempt)


async def with_asyncio(client: AsyncTributary) -> None:
    assert_type(await client.sandbox.create_link(username="user_good"), CreatedSandboxLink)
    assert_type(await client.sandbox.create_link(result="exchangeable_token"), CreatedSandboxToken)
    assert_type(await client.sandbox.create_link.with_response(), ApiResponse[CreatedSandboxLink])
    assert_type(await client.links.get("mk_1"), Link)
    assert_type(await client.links.get.with_response("mk_1"), ApiResponse[Link])
    client.webhooks.asgi_handler(with_event)
    assert_type(await client.links.list().page(), Page[Link, LinksListResult])
    async for link in client.links.list(state="connected"):
        assert_type(link, Link)
    assert_type(await client.transactions.sync_into("mk_1", MemoryStore()), SyncSummary)
    assert_type(await client.webhooks.verify(b"{}", [("service-signature", "x")]), ReceivedEvent)


def mistakes(client: Tributary) -> None:
    client.links.get()  # type: ignore[call-arg]
    client.links.list(state="broken")  # type: ignore[arg-type]
    client.link_sessions.create(customer_user={"name": "x"})  # type: ignore[typeddict-item, typeddict-unknown-key]
    client.link_sessions.create()  # type: ignore[call-arg]
    client.webhooks.asgi_handler(with_event)  # type: ignore[misc]
    client.links.get.with_response()  # type: ignore[call-arg]
    client.sandbox.create_link(result="exchangeable_token").link_id  # type: ignore[attr-defined]  # noqa: B018
    client.sandbox.create_link(result="both")  # type: ignore[call-overload]
    client.webhooks.get_event("evt_1").body.state  # type: ignore[union-attr]  # noqa: B018
    client.links.get("mk_1").nothing  # type: ignore[attr-defined]  # noqa: B018
    Tributary(secret="x")  # type: ignore[call-arg]
