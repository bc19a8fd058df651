import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Configuration, CountryCode, PlaidApi, Products } from 'plaid';
import { createWebhookVerifier } from './verify-webhook.mjs';

const PAGES = new URL('./pages/', import.meta.url);
const USER = 'sample-user';

/**
 * Piggy Bank: an app made for Plaid. Its back end knows only the official client, its page only react-plaid-link; only
 * the base address with its key pair, and one script tag, direct them to this service. It keeps access tokens in memory.
 * @param {{ apiBaseUrl: string, connectBaseUrl?: string, clientId: string, secret: string, port?: number, webhookUrl?: string }} settings
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPlaidApp({
  apiBaseUrl,
  connectBaseUrl = `${apiBaseUrl}/connect`,
  clientId,
  secret,
  port = 0,
  webhookUrl,
}) {
  const plaid = new PlaidApi(
    new Configuration({
      basePath: apiBaseUrl,
      baseOptions: { headers: { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret } },
    }),
  );
  /** item_id → access_token */
  const items = new Map();
  /** item_id → codes of the received webhooks, the newest last */
  const received = new Map();
  const verifyWebhook = createWebhookVerifier(plaid);
  let page;

  const routes = {
    'POST /api/link-token': async ({ itemId, origin }) => {
      const accessToken = items.get(itemId);
      const { data } = await plaid.linkTokenCreate({
        client_name: 'Piggy Bank',
        language: 'en',
        country_codes: [CountryCode.Us],
        user: { client_user_id: USER },
        redirect_uri: `${origin}/bank-return`,
        webhook: webhookUrl,
        ...(accessToken === undefined
          ? { products: [Products.Auth, Products.Identity, Products.Transactions] }
          : { access_token: accessToken }),
      });
      return { linkToken: data.link_token };
    },
    'POST /api/items': async ({ publicToken }) => {
      const { data } = await plaid.itemPublicTokenExchange({ public_token: publicToken });
      items.set(data.item_id, data.access_token);
      return { itemId: data.item_id };
    },
    'GET /api/items': () => Promise.all([...items.values()].map(readItem)),
    'POST /api/break': async ({ itemId }) => (
      await plaid.sandboxItemResetLogin({ access_token: items.get(itemId) }),
      {}
    ),
    'POST /api/remove': async ({ itemId }) => {
      await plaid.itemRemove({ access_token: items.get(itemId) });
      items.delete(itemId);
      return {};
    },
  };

  async function readItem(access_token) {
    const {
      data: { item },
    } = await plaid.itemGet({ access_token });
    const shown = {
      itemId: item.item_id,
      institution: item.institution_name,
      error: item.error?.error_code ?? null,
      webhooks: received.get(item.item_id) ?? [],
    };
    if (item.error !== null) return { ...shown, accounts: [], owner: null, transactions: [] };
    const {
      data: { accounts },
    } = await plaid.accountsGet({ access_token });
    return {
      ...shown,
      accounts: accounts.map(({ account_id, name, mask, balances }) => ({
        account_id,
        name,
        mask,
        current: balances.current,
        currency: balances.iso_currency_code,
      })),
      owner: await whenReady(
        plaid.identityGet({ access_token }),
        (data) => data.accounts[0]?.owners[0]?.names[0] ?? null,
      ),
      numbers: await whenReady(plaid.authGet({ access_token }), (data) => data.numbers.ach.length),
      transactions: await readTransactions(access_token),
    };
  }

  /**
   * Every page from the start; a page that new data invalidated is started again, as Plaid's
   * documentation describes.
   */
  async function readTransactions(access_token) {
    for (let cursor, added = []; ;) {
      try {
        const { data } = await plaid.transactionsSync({ access_token, cursor, count: 500 });
        added = [...added, ...data.added];
        cursor = data.next_cursor;
        if (!data.has_more)
          return added.map(({ transaction_id, date, name, amount, iso_currency_code }) => ({
            transaction_id,
            date,
            name,
            amount,
            currency: iso_currency_code,
          }));
      } catch (error) {
        if (error.response?.data.error_code !== 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')
          throw error;
        cursor = undefined;
        added = [];
      }
    }
  }

  /** Only signed content is trusted; a 200 acknowledges it. */
  async function takeWebhook(request) {
    const rawBody = await readBytes(request);
    try {
      const { item_id, webhook_type, webhook_code } = await verifyWebhook(
        rawBody,
        request.headers['plaid-verification'],
      );
      received.set(item_id, [...(received.get(item_id) ?? []), `${webhook_type} ${webhook_code}`]);
      return { status: 200, type: 'text/plain', body: '' };
    } catch (error) {
      return { status: 400, type: 'text/plain', body: error.message };
    }
  }

  async function answer(request) {
    const { pathname } = new URL(request.url, 'http://sample');
    if (request.method === 'POST' && pathname === '/webhooks') return takeWebhook(request);
    const route = routes[`${request.method} ${pathname}`];
    if (route !== undefined) {
      // A page of another origin cannot send JSON here without a preflight request.
      if (request.method === 'POST' && request.headers['content-type'] !== 'application/json')
        return { status: 415, type: 'application/json', body: '{}' };
      const body = request.method === 'POST' ? await readJson(request) : {};
      return {
        type: 'application/json',
        body: JSON.stringify(await route({ ...body, origin: `http://${request.headers.host}` })),
      };
    }
    if (pathname === '/' || pathname === '/bank-return')
      return {
        type: 'text/html; charset=utf-8',
        body: (await readFile(new URL('index.html', PAGES), 'utf8')).replace(
          'CONNECT_BASE_URL',
          connectBaseUrl,
        ),
      };
    if (pathname === '/app.js')
      return { type: 'text/javascript', body: await (page ??= bundlePage()) };
    return { status: 404, type: 'text/plain', body: 'Not found' };
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error) => ({
        status: 502,
        type: 'application/json',
        body: JSON.stringify({ error: error.response?.data.error_message ?? error.message }),
      }))
      .then(({ status = 200, type, body }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      );
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  webhookUrl ??= `http://127.0.0.1:${server.address().port}/webhooks`;
  const stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://localhost:${server.address().port}`, stop };
}

/** Null while the data is not ready. */
async function whenReady(call, read) {
  try {
    return read((await call).data);
  } catch (error) {
    if (error.response?.data.error_code === 'PRODUCT_NOT_READY') return null;
    throw error;
  }
}

async function readBytes(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readJson(request) {
  const bytes = await readBytes(request);
  return bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
}

/** Bundled on first use, as any bundler would. */
async function bundlePage() {
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false,
    root: new URL('.', PAGES).pathname,
    logLevel: 'error',
    build: { write: false, rollupOptions: { input: new URL('app.tsx', PAGES).pathname } },
  });
  return output.find(({ type }) => type === 'chunk').code;
}
