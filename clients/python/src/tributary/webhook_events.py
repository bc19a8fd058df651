"""The events that webhooks announce, as types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from pydantic import ValidationError

from .event_kinds import KINDS, KnownEvent
from .wire import WireModel


class UnknownEvent(WireModel):
    """An event of a newer service: respond with 2xx and ignore it. `to_wire()` has its body."""

    webhook_event: str
    webhook_idempotency_key: str
    webhook_timestamp: str | None = None
    link_id: str | None = None


ReceivedEvent: TypeAlias = KnownEvent | UnknownEvent

_KINDS: Mapping[Any, type[ReceivedEvent]] = KINDS


def event_of(body: Mapping[str, Any]) -> ReceivedEvent:
    """The event of a verified body. A member that a newer service changed makes it unknown, not refused."""
    try:
        return _KINDS.get(body.get("webhook_event"), UnknownEvent).model_validate(body)
    except ValidationError:
        return UnknownEvent.model_construct(_fields_set=set(body), **body)
