import { createServer } from 'node:http';
import { createWebhookVerifier, InvalidWebhook } from './verify-webhook.mjs';

// node examples/webhook-receiver-node/server.mjs
const {
  TRIBUTARY_URL = 'http://127.0.0.1:4000',
  TRIBUTARY_APP_ID,
  TRIBUTARY_ENVIRONMENT,
  HEADER_PREFIX = 'service',
  PORT = '4400',
} = process.env;
const LARGEST_BODY = 256 * 1024;

const verify = createWebhookVerifier({
  baseUrl: TRIBUTARY_URL,
  appId: TRIBUTARY_APP_ID,
  environment: TRIBUTARY_ENVIRONMENT,
});
/** In production, use a table with a unique index: it outlives the process, and two processes share it. */
const handled = new Set();

const server = createServer((request, response) => {
  take(request)
    .then((status) => response.writeHead(status).end())
    .catch((error) => {
      // 400: the request is not authentic. 500: a problem on this side, so it will be sent again.
      process.stderr.write(`refused: ${error.message}\n`);
      response.writeHead(error instanceof InvalidWebhook ? 400 : 500).end();
    });
});

async function take(request) {
  const rawBody = await readRawBody(request);
  const event = await verify(rawBody, request.headers[`${HEADER_PREFIX}-signature`]);
  if (handled.has(event.webhook_idempotency_key)) {
    process.stdout.write(`again ${event.webhook_event} ${event.webhook_idempotency_key}\n`);
    return 200;
  }
  handled.add(event.webhook_idempotency_key);
  // Respond now and work afterwards: read the link, or call sync, for the current data.
  process.stdout.write(
    `event ${event.webhook_event} ${event.link_id} ${event.webhook_idempotency_key}\n`,
  );
  return 200;
}

/** Before any JSON parser touches the body: the signature covers these bytes. */
async function readRawBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new InvalidWebhook('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

server.listen(Number(PORT), '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`),
);
