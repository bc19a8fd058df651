"""python server.py: receives webhooks, verifies them, and prints a line for each event."""

import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tributary import Tributary, TributaryError, WebhookVerificationError

PORT = int(os.environ.get("PORT", "4401"))
MAX_BODY_BYTES = 256 * 1024

# TRIBUTARY_APP_ID and TRIBUTARY_ENVIRONMENT, which the client reads, refuse the events of others.
client = Tributary(
    base_url=os.environ.get("TRIBUTARY_URL", "http://127.0.0.1:4000"),
    header_prefix=os.environ.get("HEADER_PREFIX", "service"),
)
one_at_a_time = threading.Lock()
# In production, use a table with a unique index: it outlives the process, and two processes share it.
handled: set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        if not 0 <= size <= MAX_BODY_BYTES:
            return self.respond(400, "refused: The body is larger than any event.")
        try:
            # The bytes as they arrived, before any parser: the signature covers them.
            event = client.webhooks.verify(self.rfile.read(size), self.headers)
        except WebhookVerificationError as error:
            return self.respond(400, f"refused: {error}")
        except TributaryError as error:  # The keys could not be read: the event is sent again.
            return self.respond(500, f"failed: {error}")
        key = event.webhook_idempotency_key
        with one_at_a_time:
            is_new = key not in handled
            handled.add(key)
        # Respond now and work afterwards: read the link, or call sync, for the current data.
        if is_new:
            print("event", event.webhook_event, event.link_id, key, flush=True)
        else:
            print("again", event.webhook_event, key, flush=True)
        self.respond(204)

    def respond(self, status: int, problem: str | None = None) -> None:
        if problem is not None:
            print(problem, file=sys.stderr, flush=True)
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """The lines above say enough."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
