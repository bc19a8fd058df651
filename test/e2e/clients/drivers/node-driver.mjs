import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { PagedList, Tributary, TributaryError } from '@tributary/node';
import { sqliteStore } from '../../../../examples/sync-stores-node/sqlite-store.mjs';

// Drives the Node client as `behaviors.ts` describes: a JSON line for each call, and one for its result.

const clients = new Map();

/** Calls that are no operation of the API. */
const OWN_CALLS = {
  new: (_client, options, name) => {
    clients.set(name, new Tributary(toOptions(options)));
    return {};
  },
  inspect: (client) => inspect(client, { depth: Infinity, showHidden: true }),
  'webhooks.verify': (client, { body_base64: body, headers, received_at: at }) =>
    client.webhooks.verify(Buffer.from(body, 'base64'), headers, {
      receivedAt: at === undefined ? undefined : new Date(at),
    }),
  'transactions.syncInto': async (client, { link_id: linkId, sqlite, size }) => {
    const database = new DatabaseSync(sqlite, { timeout: 10_000 });
    try {
      return await client.transactions.syncInto(linkId, sqliteStore(database), { size });
    } finally {
      database.close();
    }
  },
};

function toOptions({ key_set: keySet, ...options }) {
  return {
    baseUrl: options.base_url,
    allowHttp: options.allow_http,
    clientId: options.client_id,
    clientSecret: options.client_secret,
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
async function callOperation(client, id, { path = [], query, body = query, options, read }) {
  const [resource, method] = id.split('.');
  const values = body === undefined ? path : [...path, body];
  const result = client[resource][method](...values, options && toCallOptions(options));
  if (!(result instanceof PagedList)) return (await result) ?? null;
  if (read === 'all') return Array.fromAsync(result);
  const { items, next } = await result.page();
  return { items, next };
}

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
