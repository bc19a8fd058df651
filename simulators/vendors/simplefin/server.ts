import { z } from 'zod';
import { html } from '../../http/html.js';
import type { Reply } from '../../http/reply.js';
import type { SimulatorRequest } from '../../http/request.js';
import type { Routes } from '../../http/routes.js';
import { order } from '../server/admin-routes.js';
import type { Ledger } from '../ledger/ledger.js';
import {
  startVendorServer,
  type VendorServer,
  type VendorServerOptions,
} from '../server/start-vendor-server.js';
import { customerChoice, vendorPage } from '../server/vendor-page.js';
import { AccessStore } from './access-store.js';
import { readAccountRequest } from './account-request.js';
import { accountSet, HOLDINGS_WITHOUT_ROWS, type SimplefinError } from './account-set.js';

const SUGGESTED_PER_DAY = 24;
const BLOCKED_FROM = 96;
const TOO_MANY =
  'Too many requests. SimpleFIN data is only refreshed once every 24 hours. Expected usage of this API is 24 requests per day.';

/** Starts a SimpleFIN server like the Bridge: one Access URL reads all banks of a customer. */
export function start(options: VendorServerOptions): Promise<VendorServer> {
  const { ledger } = options;
  const store = new AccessStore(ledger);
  return startVendorServer('simplefin', options, (url) => ({
    routes: simplefinRoutes(ledger, store, url),
    admin: simplefinAdminRoutes(store, url),
  }));
}

function simplefinRoutes(ledger: Ledger, store: AccessStore, url: string): Routes {
  const createPage = (status: number): Reply =>
    vendorPage(
      'SimpleFIN Bridge (simulator)',
      html`<form method="post" action="/simplefin/create">
${customerChoice('Create a setup token as', ledger.data.customers)}
<button type="submit">Create setup token</button>
</form>`,
      status,
    );
  return {
    'GET /simplefin/info': () => ({ status: 200, json: { versions: ['1.0', '2.0'] } }),
    'GET /simplefin/create': () => createPage(200),
    'POST /simplefin/create': async (request) => {
      const customerId = (await request.form()).get('customer') ?? '';
      return ledger.data.customers.some(({ id }) => id === customerId)
        ? tokenPage(newSetupToken(store, url, customerId).setupToken)
        : createPage(400);
    },
    'POST /simplefin/claim/{token}': (request) => claim(store, url, request.param('token')),
    'GET /simplefin/accounts': (request) => readAccounts(ledger, store, url, request),
  };
}

/** Shows a setup token once. */
const tokenPage = (setupToken: string): Reply =>
  vendorPage(
    'Your setup token',
    html`<label for="setup-token">Copy it into the app that requested it. It works once.</label>
<textarea id="setup-token" rows="4" readonly>${setupToken}</textarea>
<p><a href="/simplefin/create">Create another one</a></p>`,
  );

function newSetupToken(store: AccessStore, url: string, customerId: string) {
  const claimUrl = `${url}/simplefin/claim/${store.createToken(customerId)}`;
  return { setupToken: Buffer.from(claimUrl).toString('base64'), claimUrl };
}

function claim(store: AccessStore, url: string, token: string): Reply {
  const credentials = store.claim(token);
  if (credentials === null) return { status: 403, text: 'Forbidden' };
  const accessUrl = new URL(`${url}/simplefin`);
  accessUrl.username = credentials.user;
  accessUrl.password = credentials.password;
  return { status: 200, text: accessUrl.href };
}

function readAccounts(
  ledger: Ledger,
  store: AccessStore,
  url: string,
  request: SimulatorRequest,
): Reply {
  const access = store.find(request.header('authorization'));
  if (access === null) return failed(403, { code: 'gen.auth', msg: 'Access denied.' });
  if (store.owes(access)) return failed(402, { code: 'gen.', msg: 'Payment required.' });
  const used = store.countRequest(access);
  if (used >= BLOCKED_FROM || ledger.quotaExhaustedUntil('simplefin', access.customerId) !== null) {
    return failed(429, { code: 'gen.api', msg: TOO_MANY });
  }
  const asked = readAccountRequest(request, ledger.now());
  const warnings: SimplefinError[] = [];
  if (used > SUGGESTED_PER_DAY) warnings.push({ code: 'gen.api', msg: TOO_MANY });
  if (asked.isCapped) {
    const msg = 'Requested date range exceeds limit of 90 days and was capped.';
    warnings.push({ code: 'gen.api', msg });
  }
  const parts = { sfinUrl: `${url}/simplefin`, warnings, holdings: store.holdingsWithoutRows };
  return {
    status: 200,
    json: accountSet(ledger, access.customerId, asked, parts),
  };
}

/** A response without data in the form of both versions, whatever version was requested. */
const failed = (status: number, error: SimplefinError): Reply => ({
  status,
  json: { errors: [error.msg], errlist: [error], connections: [], accounts: [] },
});

function simplefinAdminRoutes(store: AccessStore, url: string): Routes {
  const customerBody = z.strictObject({ customer: z.string() });
  const holdingsBody = z.strictObject({ holdings: z.enum(HOLDINGS_WITHOUT_ROWS) });
  const debtBody = customerBody.extend({ owes: z.boolean() });
  return {
    // A setup token without a browser.
    'POST /simulator/simplefin/setup-token': order(customerBody, ({ customer }) =>
      newSetupToken(store, url, customer),
    ),
    // A customer who did not pay for the service gets a 402.
    'POST /simulator/simplefin/payment': order(debtBody, ({ customer, owes }) => {
      store.setOwes(customer, owes);
      return { customer, owes };
    }),
    // The holdings of a response without rows.
    'POST /simulator/simplefin/balances-only': order(holdingsBody, ({ holdings }) => {
      store.holdingsWithoutRows = holdings;
      return { holdings };
    }),
  };
}
