import { z } from 'zod';
import { withWords } from '../admin/admin-routes.js';
import { page, type Reply } from '../http/reply.js';
import { serveRoutes, type Route } from '../http/route.js';
import type { SimulatorRequest } from '../http/simulator-request.js';
import type { Ledger } from '../ledger/ledger.js';
import {
  startVendorServer,
  type VendorServer,
  type VendorServerOptions,
} from '../server/start-vendor-server.js';
import { AccessStore } from './access-store.js';
import { readAccountRequest } from './account-request.js';
import { accountSet, type SimplefinError } from './account-set.js';
import { createPage, tokenPage } from './create-page.js';

const SUGGESTED_PER_DAY = 24;
const BLOCKED_FROM = 96;
const TOO_MANY =
  'Too many requests. SimpleFIN data is only refreshed once every 24 hours. Expected usage of this API is 24 requests per day.';

/** Starts a SimpleFIN server like the Bridge: one Access URL reads all banks of a customer. */
export function createSimplefinServer(options: VendorServerOptions): Promise<VendorServer> {
  const { ledger } = options;
  const store = new AccessStore(ledger);
  return startVendorServer('simplefin', options, (url) => ({
    listener: serveRoutes(simplefinRoutes(ledger, store, url)),
    admin: simplefinAdminRoutes(store, url),
  }));
}

function simplefinRoutes(ledger: Ledger, store: AccessStore, url: string): Route[] {
  return [
    {
      method: 'GET',
      path: '/simplefin/info',
      handle: () => ({ status: 200, json: { versions: ['1.0', '2.0'] } }),
    },
    {
      method: 'GET',
      path: '/simplefin/create',
      handle: () => page(createPage(ledger.data.customers)),
    },
    {
      method: 'POST',
      path: '/simplefin/create',
      handle: async (request) => {
        const customerId = (await request.form()).get('customer') ?? '';
        if (!ledger.data.customers.some(({ id }) => id === customerId)) {
          return page(createPage(ledger.data.customers), 400);
        }
        return page(tokenPage(newSetupToken(store, url, customerId).setupToken));
      },
    },
    {
      method: 'POST',
      path: '/simplefin/claim/{token}',
      handle: (request) => claim(store, url, request.param('token')),
    },
    {
      method: 'GET',
      path: '/simplefin/accounts',
      handle: (request) => readAccounts(ledger, store, url, request),
    },
  ];
}

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
  const sfinUrl = `${url}/simplefin`;
  return {
    status: 200,
    json: accountSet(ledger, access.customerId, asked, { sfinUrl, warnings }),
  };
}

/** A response without data in the form of both versions, whatever version was requested. */
const failed = (status: number, error: SimplefinError): Reply => ({
  status,
  json: { errors: [error.msg], errlist: [error], connections: [], accounts: [] },
});

function simplefinAdminRoutes(store: AccessStore, url: string): Route[] {
  const customerBody = z.strictObject({ customer: z.string() });
  const debtBody = customerBody.extend({ owes: z.boolean() });
  return [
    {
      // A setup token without a browser.
      method: 'POST',
      path: '/simulator/simplefin/setup-token',
      handle: (request) =>
        withWords(async () =>
          newSetupToken(store, url, customerBody.parse(await request.json()).customer),
        ),
    },
    {
      // A customer who did not pay for the service gets a 402.
      method: 'POST',
      path: '/simulator/simplefin/payment',
      handle: (request) =>
        withWords(async () => {
          const { customer, owes } = debtBody.parse(await request.json());
          store.setOwes(customer, owes);
          return { customer, owes };
        }),
    },
  ];
}
