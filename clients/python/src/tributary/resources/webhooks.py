"""Webhooks: verifying them, and the log of their events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Unpack

from pydantic import ValidationError

from ..calls import Call, model, path_of
from ..engine import Engine
from ..errors import ConfigurationError
from ..flows import Flow, Reply
from ..models import (
    WebhookEvent,
    WebhookEventInFull,
    WebhookListener,
    WebhookPublicKey,
    WebhooksListEventsResult,
    WebhooksListKeysResult,
    WebhooksListListenerDeliveriesResult,
    WebhooksReplayEventResult,
    WebhooksReplayEventsResult,
    WebhooksReportListenerDeliveryResult,
    WebhooksSendTestEventResult,
)
from ..pages import PagedCall
from ..params import (
    CreateWebhookListenerRequest,
    ReplayWebhookEventsRequest,
    ReportListenedDeliveryRequest,
    SortOrder,
    TestWebhookRequest,
    WebhookEventStatusInput,
)
from ..runners import AsyncRunner, SyncRunner
from ..webhook_events import ReceivedEvent, event_of
from ..webhook_handlers import AsgiApp, OnError, OnEvent, WsgiApp, asgi_app, wsgi_app
from ..webhook_verification import Headers, KeySet, verified_body
from ..wire import read_json
from .resource import Resource, RunnerT, listing, operation


class Webhooks(Resource[RunnerT]):
    """Webhooks: verifying them, and the log of their events."""

    def __init__(self, engine: Engine, runner: RunnerT, keys: KeySet) -> None:
        super().__init__(engine, runner)
        self._keys = keys

    @operation
    def verify(
        self, raw_body: bytes, headers: Headers, *, received_at: datetime | None = None
    ) -> Flow[ReceivedEvent]:
        """Returns the event of a webhook that this service has signed for this app.

        `raw_body` is the body as it arrived, before any parser; `headers` are those of the request,
        as a mapping or as pairs. Anything else than a webhook of this service, app and environment,
        and of now, is a WebhookVerificationError: respond with 400. The keys are kept for an hour;
        when they cannot be fetched, a ServiceConnectionError or ServiceUnavailableError is raised:
        respond with 500, and the event is sent again. `received_at` is the time at which the request
        arrived, with its time zone, if it is verified later.
        """
        if not isinstance(raw_body, bytes | bytearray | memoryview):
            raise ConfigurationError("raw_body is the bytes of the body, before they were parsed.")
        configuration = self._engine.configuration
        body = yield from verified_body(
            bytes(raw_body), headers, received_at, configuration, self._keys, self._fetch_keys
        )
        return event_of(body)

    def wsgi_handler(
        self: Webhooks[SyncRunner], on_event: OnEvent, *, on_error: OnError | None = None
    ) -> WsgiApp:
        """Returns a WSGI application that verifies each request, and gives its event to `on_event`.

        It responds with 204, with 400 to what is not a webhook for this app, and with 500 when
        `on_event` raises an error: then the event is sent again. What is not handled is logged to the
        logger `tributary`, or given to `on_error`, as are refusals.
        """
        return wsgi_app(self.verify, on_event, on_error)

    def asgi_handler(
        self: Webhooks[AsyncRunner], on_event: OnEvent, *, on_error: OnError | None = None
    ) -> AsgiApp:
        """The same as an ASGI application; `on_event` may be a coroutine function."""
        return asgi_app(self.verify, on_event, on_error)

    @operation
    def list_keys(self) -> Call[WebhooksListKeysResult]:
        """Returns the public keys of the service, the current one first. `verify` reads them itself."""
        return _list_keys()

    @listing
    def list_events(
        self,
        *,
        link_id: str | None = None,
        webhook_event: str | None = None,
        status: Sequence[WebhookEventStatusInput] | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        order: SortOrder | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PagedCall[WebhookEvent, WebhooksListEventsResult]:
        """Lists the events of the last 90 days, also those that were not sent.

        In ascending order, which is the default, `page.body.cursor.next` remains usable after the
        last page: pass it as `cursor` to read what is new.
        """
        query = {
            "link_id": link_id,
            "webhook_event": webhook_event,
            "status": status,
            "created_after": created_after,
            "created_before": created_before,
            "order": order,
            "limit": limit,
            "cursor": cursor,
        }
        return PagedCall(
            Call("GET", "/webhooks/events", model(WebhooksListEventsResult), query=query),
            items=lambda body: body.events,
            next=lambda body: body.cursor.next if body.has_more else None,
        )

    @operation
    def get_event(self, event_id: str) -> Call[WebhookEventInFull]:
        """Returns an event with its deliveries and attempts."""
        return Call("GET", path_of("/webhooks/events/{id}", id=event_id), model(WebhookEventInFull))

    @operation
    def replay_event(self, event_id: str) -> Call[WebhooksReplayEventResult]:
        """Sends an event again: the same body and key, under a new `delivery_token`."""
        path = path_of("/webhooks/events/{id}/replay", id=event_id)
        return Call("POST", path, model(WebhooksReplayEventResult))

    @operation
    def replay_events(
        self, **body: Unpack[ReplayWebhookEventsRequest]
    ) -> Call[WebhooksReplayEventsResult]:
        """Sends the failed events of a time range again, oldest first; with `dry_run` only counts them."""
        path = "/webhooks/events/replay"
        return Call("POST", path, model(WebhooksReplayEventsResult), body=body)

    @operation
    def send_test_event(
        self, link_id: str, **body: Unpack[TestWebhookRequest]
    ) -> Call[WebhooksSendTestEventResult]:
        """Sends an event of a Sandbox link to its address."""
        path = path_of("/webhooks/test/link/{id}", id=link_id)
        return Call("POST", path, model(WebhooksSendTestEventResult), body=body)

    @operation
    def create_listener(
        self, **body: Unpack[CreateWebhookListenerRequest]
    ) -> Call[WebhookListener]:
        """Starts to listen: receives copies of webhooks where the service cannot reach a receiver.

        A listener ends a minute after its last call.
        """
        return Call("POST", "/webhooks/listeners", model(WebhookListener), body=body)

    @operation
    def list_listener_deliveries(
        self,
        listener_id: str,
        *,
        after: str | None = None,
        wait: int | None = None,
        limit: int | None = None,
    ) -> Call[WebhooksListListenerDeliveriesResult]:
        """Returns the next deliveries of a listener, and waits up to `wait` seconds for one.

        Continue with the `cursor` of the last delivery that you have handled, as `after`.
        """
        return Call(
            "GET",
            path_of("/webhooks/listeners/{id}/deliveries", id=listener_id),
            model(WebhooksListListenerDeliveriesResult),
            query={"after": after, "wait": wait, "limit": limit},
        )

    @operation
    def report_listener_delivery(
        self, listener_id: str, token: str, **body: Unpack[ReportListenedDeliveryRequest]
    ) -> Call[WebhooksReportListenerDeliveryResult]:
        """Reports the response of a receiver to a delivery; a second report changes nothing."""
        path = path_of("/webhooks/listeners/{id}/deliveries/{token}", id=listener_id, token=token)
        return Call("POST", path, model(WebhooksReportListenerDeliveryResult), body=body)

    def _fetch_keys(self) -> Flow[list[WebhookPublicKey]]:
        result = yield from self._engine.make(_list_keys())
        return result.keys


def _list_keys() -> Call[WebhooksListKeysResult]:
    return Call("GET", "/.well-known/jwks.json", _read_keys, needs_token=False)


def _read_keys(reply: Reply) -> WebhooksListKeysResult:
    """Leaves out keys of kinds that a later service adds."""
    body = read_json(reply.body)
    if isinstance(body, dict) and isinstance(body.get("keys"), list):
        body["keys"] = [key for key in body["keys"] if _is_known(key)]
    return WebhooksListKeysResult.model_validate(body)


def _is_known(key: object) -> bool:
    try:
        WebhookPublicKey.model_validate(key)
    except ValidationError:
        return False
    return True
