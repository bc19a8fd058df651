import type { ApiRequest } from '../../../support/services/api-client.js';

/** The ids of one user's data; `{link}` in a path or body is its link, and so on. */
export interface Ids {
  user: string;
  link: string;
  account: string;
  session: string;
  event: string;
  /** A listener of the whole app. */
  listener: string;
  /** An exchangeable token of its second link. */
  exchangeable: string;
  /** An access token of the Plaid-compatible layer for its link. */
  access: string;
  /** A link token of the Plaid-compatible layer. */
  linkToken: string;
}

/**
 * How a call is limited for a pair with users or links:
 * - `foreign`: about a row of another user, it answers as for a row of another app
 * - `creates`: refused for another user
 * - `list`: holds the permitted rows only
 * - `whole-app`: refused, since it affects more than users or links
 * - `unaffected`: reads nothing of users or links
 */
type Limit = 'foreign' | 'creates' | 'list' | 'whole-app' | 'unaffected';
export type RestrictedCall = [call: string, limit: Limit, request?: Pick<ApiRequest, 'json'>];

const ROW = { account_id: 'a', amount: 1, date: '2026-02-01' };
const TEST_EVENT = { webhook_event: 'link.state_changed', webhook_idempotency_key: 'k' };
const SCRIPT = { script: [{ verb: 'drop', ref: 'a' }] };
const REPORT = { event_id: '{event}', http_status: 200, duration_ms: 1 };
const RANGE = { created_after: '2026-01-01T00:00:00', dry_run: true };
const SESSION = {
  customer_user: { id: '{user}' },
  settings: { products: ['transactions'] },
};
const IMPORT = {
  customer_user: { id: '{user}' },
  institution_id: 'sandbox-instant-bank',
  accounts: [{ account_id: 'a', name: 'A', type: 'checking', balances: { currency: 'USD' } }],
};

/** Each call with an access token. Those that read come first, and those that remove come last. */
export const NATIVE_CALLS: readonly RestrictedCall[] = [
  ['GET /auth/introspect', 'unaffected'],
  ['GET /institutions', 'unaffected'],
  ['GET /institutions/sandbox-instant-bank', 'unaffected'],
  ['GET /links', 'list'],
  ['GET /link-sessions', 'list'],
  ['GET /webhooks/events', 'list'],
  ['POST /webhooks/events/replay', 'list', { json: RANGE }],
  ['GET /links/{link}', 'foreign'],
  ['GET /links/{link}/accounts', 'foreign'],
  ['GET /links/{link}/accounts/numbers', 'foreign'],
  ['GET /links/{link}/accounts/{account}', 'foreign'],
  ['GET /links/{link}/accounts/{account}/balances', 'foreign'],
  ['GET /links/{link}/identity', 'foreign'],
  ['GET /links/{link}/holdings', 'foreign'],
  ['GET /links/{link}/liabilities', 'foreign'],
  ['GET /links/{link}/recurring', 'foreign'],
  ['GET /links/{link}/investment-transactions', 'foreign'],
  ['GET /links/{link}/investment-transactions/sync', 'foreign'],
  ['GET /links/{link}/transactions', 'foreign'],
  ['GET /links/{link}/transactions/sync', 'foreign'],
  ['GET /links/{link}/transactions/txn_x/numbers', 'foreign'],
  ['GET /links/{link}/export', 'foreign'],
  ['GET /link-sessions/{session}', 'foreign'],
  ['GET /users/{user}/accounts', 'foreign'],
  ['GET /users/{user}/links', 'foreign'],
  ['GET /users/{user}/transactions', 'foreign'],
  ['GET /users/{user}/export', 'foreign'],
  ['GET /users/{user}/simplefin-tokens', 'foreign'],
  ['POST /users/{user}/simplefin-tokens', 'creates'],
  ['DELETE /users/{user}/simplefin-tokens/sft_x', 'foreign'],
  ['GET /webhooks/events/{event}', 'foreign'],
  ['POST /webhooks/events/{event}/replay', 'foreign'],
  ['POST /webhooks/listeners', 'unaffected', { json: {} }],
  ['GET /webhooks/listeners/{listener}/deliveries', 'foreign'],
  ['POST /webhooks/listeners/{listener}/deliveries/whd_x', 'foreign', { json: REPORT }],
  ['POST /webhooks/test/link/{link}', 'foreign', { json: TEST_EVENT }],
  ['POST /link-session', 'creates', { json: SESSION }],
  ['POST /link-session', 'foreign', { json: { ...SESSION, existing_link_id: '{link}' } }],
  ['POST /links/import', 'creates', { json: IMPORT }],
  ['POST /links/{link}/import/transactions', 'foreign', { json: { transactions: [ROW] } }],
  ['POST /links/{link}/products', 'foreign', { json: { products: ['accounts'] } }],
  ['PATCH /links/{link}', 'foreign', { json: { tags: ['mine'] } }],
  [
    'POST /link-session/exchange-token',
    'foreign',
    { json: { exchangeable_token: '{exchangeable}' } },
  ],
  ['POST /links/{link}/reset', 'foreign'],
  ['DELETE /links/{link}', 'foreign'],
  ['DELETE /users/{user}', 'foreign'],
  ['POST /sandbox/link', 'whole-app', { json: {} }],
  ['POST /sandbox/links/{link}/transactions', 'whole-app', { json: SCRIPT }],
  [
    'POST /sandbox/links/{link}/holdings',
    'whole-app',
    { json: { script: [{ verb: 'reissue_ids' }] } },
  ],
  [
    'POST /sandbox/links/{link}/liabilities',
    'whole-app',
    { json: { script: [{ verb: 'set', account_id: 'acc_x' }] } },
  ],
  ['POST /sandbox/links/{link}/expire-auth', 'whole-app', { json: { mode: 'now' } }],
  ['POST /sandbox/worlds', 'whole-app', { json: {} }],
  ['GET /sandbox/worlds', 'whole-app'],
  ['GET /sandbox/worlds/default', 'whole-app'],
  ['POST /sandbox/worlds/default/advance', 'whole-app', { json: {} }],
  ['DELETE /sandbox/worlds/default', 'whole-app'],
  ['POST /sandbox/institutions/sandbox-instant-bank/faults', 'whole-app', { json: {} }],
  ['GET /sandbox/institutions/sandbox-instant-bank/faults', 'whole-app'],
  ['DELETE /sandbox/faults/flt_x', 'whole-app'],
];

const ITEM = { json: { access_token: '{access}' } };

/** Each call of the Plaid-compatible layer. */
export const PLAID_CALLS: readonly RestrictedCall[] = [
  ['/institutions/get', 'unaffected', { json: { count: 1, offset: 0, country_codes: ['US'] } }],
  [
    '/institutions/get_by_id',
    'unaffected',
    { json: { institution_id: 'sandbox-instant-bank', country_codes: ['US'] } },
  ],
  [
    '/institutions/search',
    'unaffected',
    { json: { query: 'sandbox', products: null, country_codes: ['US'] } },
  ],
  ['/webhook_verification_key/get', 'unaffected', { json: { key_id: 'x' } }],
  ['/item/get', 'foreign', ITEM],
  ['/accounts/get', 'foreign', ITEM],
  ['/accounts/balance/get', 'foreign', ITEM],
  ['/auth/get', 'foreign', ITEM],
  ['/identity/get', 'foreign', ITEM],
  ['/transactions/sync', 'foreign', ITEM],
  [
    '/transactions/get',
    'foreign',
    { json: { ...ITEM.json, start_date: '2026-01-01', end_date: '2026-02-01' } },
  ],
  ['/transactions/recurring/get', 'foreign', ITEM],
  ['/investments/holdings/get', 'foreign', ITEM],
  [
    '/investments/transactions/get',
    'foreign',
    { json: { ...ITEM.json, start_date: '2026-01-01', end_date: '2026-02-01' } },
  ],
  ['/investments/refresh', 'foreign', ITEM],
  ['/liabilities/get', 'foreign', ITEM],
  ['/transactions/refresh', 'foreign', ITEM],
  ['/item/webhook/update', 'foreign', { json: { ...ITEM.json, webhook: null } }],
  ['/item/access_token/invalidate', 'foreign', ITEM],
  ['/item/remove', 'foreign', ITEM],
  ['/item/public_token/exchange', 'foreign', { json: { public_token: '{exchangeable}' } }],
  [
    '/link/token/create',
    'creates',
    {
      json: {
        client_name: 'Ledger',
        language: 'en',
        country_codes: ['US'],
        products: ['transactions'],
        user: { client_user_id: '{user}' },
      },
    },
  ],
  ['/link/token/get', 'foreign', { json: { link_token: '{linkToken}' } }],
  ['/sandbox/public_token/create', 'whole-app', { json: {} }],
  ['/sandbox/item/reset_login', 'whole-app', { json: {} }],
  ['/sandbox/transactions/create', 'whole-app', { json: {} }],
  ['/sandbox/item/fire_webhook', 'whole-app', { json: {} }],
];

/** The request with the ids of a user in place of their names. */
export function filled<T>(request: T, ids: Ids): T {
  const text = JSON.stringify(request).replaceAll(
    /\{(user|link|account|session|event|listener|exchangeable|access|linkToken)\}/g,
    (_, name: keyof Ids) => ids[name],
  );
  return JSON.parse(text) as T;
}
