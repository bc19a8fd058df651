"""Reads bodies of events in the log from standard input, and prints the class and the members of each."""

import json
import sys

from tributary.models import WebhookEvent
from tributary.wire import read_json

EVENT = {
    "event_id": "evt_1",
    "link_id": "mk_1",
    "webhook_event": "any",
    "webhook_idempotency_key": "key",
    "created_at": "2026-03-02T10:15:00.000",
    "origin": "change",
    "status": "delivered",
    "attempts": 1,
    "last_attempt_at": None,
    "next_attempt_at": None,
    "body_sha256": "0" * 64,
}


def described(body):
    event = WebhookEvent.model_validate(EVENT | {"body": body})
    return [type(event.body).__name__, event.to_wire()["body"]]


print(json.dumps([described(body) for body in read_json(sys.stdin.read())]))
