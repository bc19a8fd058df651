import { createServer } from 'node:http';
import { Tributary, WebhookVerificationError } from '@tributary/node';

// node examples/webhook-receiver-node/server.mjs
// TRIBUTARY_APP_ID and TRIBUTARY_ENVIRONMENT, which the client reads, refuse the events of others.
const { TRIBUTARY_URL = 'http://127.0.0.1:4000', HEADER_PREFIX, PORT = '4400' } = process.env;

const tributary = new Tributary({ baseUrl: TRIBUTARY_URL, headerPrefix: HEADER_PREFIX });
/** In production, use a table with a unique index: it outlives the process, and two processes share it. */
const handled = new Set();

const handle = tributary.webhooks.nodeHandler(
  ({ webhook_event: name, webhook_idempotency_key: key, link_id: linkId }) => {
    if (handled.has(key)) return console.log('again', name, key);
    handled.add(key);
    // Return now and work afterwards: read the link, or call sync, for the current data.
    console.log('event', name, linkId, key);
  },
  {
    onError: (error) => {
      // A failure gets 500, and the event is sent again.
      const outcome = error instanceof WebhookVerificationError ? 'refused:' : 'failed:';
      console.error(outcome, error.message);
    },
  },
);

const server = createServer(handle).listen(Number(PORT), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);
