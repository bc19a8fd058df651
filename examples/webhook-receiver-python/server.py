"""python3 server.py: receives webhooks, verifies them, and prints a line for each event."""

import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify_webhook import InvalidWebhook, WebhookVerifier

BASE_URL = os.environ.get("TRIBUTARY_URL", "http://127.0.0.1:4000")
HEADER = os.environ.get("HEADER_PREFIX", "service") + "-signature"
PORT = int(os.environ.get("PORT", "4401"))
LARGEST_BODY = 256 * 1024

verifier = WebhookVerifier(BASE_URL, app_id=os.environ.get("TRIBUTARY_APP_ID"), environment=os.environ.get("TRIBUTARY_ENVIRONMENT"))
one_at_a_time = threading.Lock()
# In production, use a table with a unique index: it outlives the process, and two processes share it.
handled = set()


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            self._answer(self._take())
        except InvalidWebhook as error:
            print(f"refused: {error}", file=sys.stderr, flush=True)
            self._answer(400)
        except Exception as error:  # something is wrong here, and it will be sent again
            print(f"failed: {error}", file=sys.stderr, flush=True)
            self._answer(500)

    def _take(self):
        size = int(self.headers.get("content-length") or 0)
        if size > LARGEST_BODY:
            self.close_connection = True
            raise InvalidWebhook("the body is too large")
        # Before any JSON parser touches them: the signature is one of these bytes.
        raw_body = self.rfile.read(size)
        signatures = self.headers.get_all(HEADER) or []
        if len(signatures) != 1:
            raise InvalidWebhook("there has to be one signature")
        with one_at_a_time:
            event = verifier.verify(raw_body, signatures[0])
            key = event["webhook_idempotency_key"]
            is_new = key not in handled
            handled.add(key)
        # Respond now and work afterwards: read the link, or call sync, for the current data.
        print(f"event {event['webhook_event']} {event['link_id']} {key}" if is_new else f"again {event['webhook_event']} {key}", flush=True)
        return 200

    def _answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        """The lines above say enough."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
