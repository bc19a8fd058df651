import { Products } from 'plaid';
import { eventually } from '../support/assertions/eventually.js';
import { plaidClient } from '../support/actors/plaid-client.js';
import { service, serviceOfFile } from '../support/fixtures/sandbox-service.js';
import { startExample, type RunningExample } from '../support/services/start-example.js';

interface ShownItem {
  itemId: string;
  error: string | null;
  accounts: unknown[];
  owner: string | null;
  numbers?: number;
  transactions: unknown[];
  webhooks: string[];
}

serviceOfFile();

let app: RunningExample;
beforeAll(async () => {
  const { client_id: PLAID_CLIENT_ID, client_secret: PLAID_SECRET } = service.app.sandbox;
  app = await startExample('examples/plaid-app/server.mjs', /: (http\S+)/, {
    PLAID_BASE_URL: service.info.base_url,
    CONNECT_BASE_URL: service.info.connect_base_url,
    PLAID_CLIENT_ID,
    PLAID_SECRET,
  });
});
afterAll(() => app?.stop());

const ask = async (method: string, path: string, body?: object) => {
  const response = await fetch(
    `${app.url}${path}`,
    body === undefined
      ? { method }
      : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

it('An app made for Plaid exchanges, reads, syncs and accepts the webhooks that it can verify', async () => {
  expect(await ask('POST', '/api/link-token', {})).toEqual({
    linkToken: expect.stringMatching(/^link-sandbox-/),
  });
  const { client_id: clientId, client_secret: secret } = service.app.sandbox;
  const plaid = plaidClient(service.info.base_url, {
    'PLAID-CLIENT-ID': clientId,
    'PLAID-SECRET': secret,
  });
  const webhook = `${app.url.replace('localhost', '127.0.0.1')}/webhooks`;
  const {
    data: { public_token: publicToken },
  } = await plaid.sandboxPublicTokenCreate({
    institution_id: 'ins_109508',
    initial_products: [Products.Auth, Products.Identity, Products.Transactions],
    options: { webhook },
  });
  const { itemId } = (await ask('POST', '/api/items', { publicToken })) as { itemId: string };
  const shown = async () =>
    ((await ask('GET', '/api/items')) as ShownItem[]).find((item) => item.itemId === itemId);
  await eventually(
    async () => {
      const item = await shown();
      expect(item).toMatchObject({
        error: null,
        owner: expect.any(String),
        webhooks: expect.arrayContaining([
          'TRANSACTIONS INITIAL_UPDATE',
          'TRANSACTIONS HISTORICAL_UPDATE',
        ]),
      });
      expect(
        [item?.accounts.length, item?.numbers, item?.transactions.length].every(
          (count) => (count ?? 0) > 0,
        ),
      ).toBe(true);
    },
    { every: 500 },
  );
  await ask('POST', '/api/break', { itemId });
  await eventually(
    async () =>
      expect(await shown()).toMatchObject({
        error: 'ITEM_LOGIN_REQUIRED',
        webhooks: expect.arrayContaining(['ITEM ERROR']),
      }),
    { every: 250 },
  );
  const forged = await fetch(webhook, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'plaid-verification': 'a.b.c' },
    body: '{"webhook_type":"ITEM","webhook_code":"ERROR"}',
  });
  expect(forged.status).toBe(400);
  // A form of another page could submit the public token of a stranger.
  const form = await fetch(`${app.url}/api/items`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ publicToken }),
  });
  expect(form.status).toBe(415);
});
