"""An app as a type checker reads it. It is never run."""

from decimal import Decimal
from typing import assert_type

from tributary import AsyncTributary, Event, MemoryStore, Page, SyncCounts, Tributary
from tributary.models import Link, LinksListResult, LinkStateChanged, Transaction


def with_threads(client: Tributary) -> None:
    session = client.link_sessions.create(
        customer_user={"id": "user-1"}, tags=["tier:gold"], idempotency_key="key"
    )
    assert_type(session.link_session_token, str)
    assert_type(client.links.get("mk_1"), Link)
    assert_type(client.links.delete("mk_1"), None)
    assert_type(client.links.list(state="error", limit=10).page(), Page[Link, LinksListResult])
    for link in client.links.list():
        assert_type(link, Link)
    for row in client.transactions.list("mk_1"):
        assert_type(row, Transaction)
        assert_type(row.amount, Decimal)
    assert_type(client.transactions.sync_into("mk_1", MemoryStore()), SyncCounts)
    event = client.webhooks.verify(b"{}", {"service-signature": "x"})
    assert_type(event, Event)
    if isinstance(event, LinkStateChanged) and event.state == "error":
        client.with_options(timeout=5).links.refresh_products(event.link_id, products=["accounts"])


async def with_asyncio(client: AsyncTributary) -> None:
    assert_type(await client.links.get("mk_1"), Link)
    assert_type(await client.links.list().page(), Page[Link, LinksListResult])
    async for link in client.links.list(state="connected"):
        assert_type(link, Link)
    assert_type(await client.transactions.sync_into("mk_1", MemoryStore()), SyncCounts)
    assert_type(await client.webhooks.verify(b"{}", [("service-signature", "x")]), Event)


def mistakes(client: Tributary) -> None:
    client.links.get()  # type: ignore[call-arg]
    client.links.list(state="broken")  # type: ignore[arg-type]
    client.link_sessions.create(customer_user={"name": "x"})  # type: ignore[typeddict-item, typeddict-unknown-key]
    client.link_sessions.create()  # type: ignore[call-arg]
    client.links.get("mk_1").nothing  # type: ignore[attr-defined]  # noqa: B018
    Tributary(secret="x")  # type: ignore[call-arg]
