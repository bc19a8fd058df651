import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { PagedList, Tributary, TributaryError } from '@tributary/node';
import { sqliteStore } from '../../../../examples/sync-stores-node/sqlite-store.mjs';

// Drives the Node client as `behaviors.ts` describes: a JSON line for each call, and one for its result.

const clients = new Map();
/** The attempts of each client that was made with `attempts`. */
const attempts = new Map();

/** Calls that are no operation of the API. */
const OWN_CALLS = {
  new: (_client, options, name) => {
    const onAttempt = options.attempts ? (each) => attempts.get(name).push(each) : undefined;
    attempts.set(name, []);
    clients.set(name, new Tributary({ ...toOptions(options), onAttempt }));
    return {};
  },
  attempts: (_client, _args, name) => attempts.get(name).map(describeAttempt),
  inspect: (client) => inspect(client, { depth: Infinity, showHidden: true }),
  'webhooks.verify': verify,
  'webhooks.verifyKind': async (...args) => ({ kind: 'known', event: await verify(...args) }),
  'webhooks.handle': handle,
  'links.exportText': async (client, { link_id: linkId, options = {} }) => {
    const stream = await client.links.export(linkId, { format: 'jsonl' }, toCallOptions(options));
    return new Response(stream).text();
  },
  'transactions.syncInto': async (client, { link_id: linkId, sqlite, size }) => {
    const database = new DatabaseSync(sqlite, { timeout: 10_000 });
    try {
      return await client.transactions.syncInto(linkId, sqliteStore(database), { size });
    } finally {
      database.close();
    }
  },
};

function verify(client, { body_base64: body, headers, received_at: at }) {
  const receivedAt = at === undefined ? undefined : new Date(at);
  return client.webhooks.verify(Buffer.from(body, 'base64'), headers, { receivedAt });
}

/** The status of the handler's response, and whether it logged. `fails`: what handles the event throws. */
async function handle(client, { body_base64: body, headers, fails }) {
  const written = console.error;
  const events = [];
  let hasLogged = false;
  console.error = () => {
    hasLogged = true;
  };
  try {
    const handler = client.webhooks.fetchHandler((event) => {
      if (fails) throw new Error('no disk');
      events.push(event.webhook_idempotency_key);
    });
    const request = { method: 'POST', headers, body: Buffer.from(body, 'base64') };
    const { status } = await handler(new Request('https://app.example/hooks', request));
    return { status, events, has_logged: hasLogged };
  } finally {
    console.error = written;
  }
}

const describeAttempt = ({ method, path, number, status, requestId, error, willRetry }) => ({
  method,
  path,
  number,
  status: status ?? null,
  has_request_id: requestId !== undefined,
  error: error?.code ?? null,
  will_retry: willRetry,
});

function toOptions({ key_set: keySet, ...options }) {
  return {
    baseUrl: options.base_url,
    allowHttp: options.allow_http,
    clientId: options.client_id,
    clientSecret: options.client_secret,
    scopes: options.scopes,
    headers: options.headers,
    appId: options.app_id,
    environment: options.environment,
    headerPrefix: options.header_prefix,
    timeout: options.timeout_ms,
    maxRetries: options.max_retries,
    fetch: keySet && ((address) => serveKeySet(address, keySet)),
  };
}

async function serveKeySet(address, keySet) {
  if (new URL(address).pathname === '/.well-known/jwks.json') return Response.json(keySet);
  throw new Error(`Nothing serves ${address}`);
}

/** An operation by its id: the values of its path, then its query or body, then options. */
async function callOperation(client, id, { path = [], query, body = query, options, read, raw }) {
  const [resource, method] = id.split('.');
  const values = body === undefined ? path : [...path, body];
  const result = client[resource][method](...values, options && toCallOptions(options));
  if (raw) return describeResponse(await result.withResponse());
  if (!(result instanceof PagedList)) return (await result) ?? null;
  if (read === 'all') return Array.fromAsync(result);
  if (read === 'pages') return Array.fromAsync(result.pages(), describePage);
  const { items, next } = await result.page();
  return { items, next };
}

const describeResponse = ({ data, status, headers, requestId, isReplayed }) => ({
  data: data ?? null,
  status,
  content_type: headers.get('Content-Type'),
  request_id: requestId,
  is_replayed: isReplayed,
});

const describePage = ({ items, next, response }) => ({ items, next, status: response.status });

const toCallOptions = (options) => ({
  timeout: options.timeout_ms,
  maxRetries: options.max_retries,
  idempotencyKey: options.idempotency_key,
});

function describeError(error) {
  if (!(error instanceof TributaryError)) return { family: 'a bug', text: inspect(error) };
  return {
    family: error.name,
    code: error.code,
    message: error.message,
    status: error.status,
    request_id: error.requestId,
    documentation_url: error.documentationUrl,
    retry_after: error.retryAfter,
    issues: error.issues,
    link_error_code: error.linkErrorCode,
    required_scope: error.requiredScope,
    text: inspect(error),
  };
}

async function answer({ id, call, client = 'default', args = {} }) {
  try {
    const own = OWN_CALLS[call];
    const ok =
      own === undefined
        ? await callOperation(clients.get(client), call, args)
        : await own(clients.get(client), args, client);
    return { id, ok };
  } catch (error) {
    return { id, error: describeError(error) };
  }
}

for await (const line of createInterface({ input: process.stdin }))
  void answer(JSON.parse(line)).then((response) =>
    process.stdout.write(`${JSON.stringify(response)}\n`),
  );
