import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Products, type PlaidApi } from 'plaid';
import {
  CODES_NOT_GIVEN,
  PLAID_ERROR_TYPES,
  type PlaidErrorCode,
} from '../../domain/plaid/errors.js';
import type { Scope } from '../../domain/api/scopes.js';
import { KeyPairRepository } from '../../prisma/applications/key-pair.repository.js';
import { clientId, forceLink } from '../support/services/api-in-process.js';
import { OAUTH_BANK } from '../support/services/row-steps.js';
import {
  failureOf,
  plaidClient,
  plaidOf,
  refusalOf,
  type PlaidFailure,
} from '../support/actors/plaid-client.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { StoredItem } from '../support/fixtures/stored-item.js';

const service = plaidServiceOfFile();
const limited = plaidServiceOfFile({ RATE_LIMIT_COMPAT: 'on' });

const US = { country_codes: ['US'] as never };
const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' };
const headersOf = ({ headers }: PlaidFailure) => Object.keys(headers);
const fault = (call: Promise<{ data: unknown }>) => failureOf(call);
const item = () => StoredItem.linked(service.api);
const live = (): PlaidApi => plaidOf(service.api, 'pocket-ledger', 'live');
const prisma = () => service.api.database.prisma;

/** An Item whose link is broken, read by a call that needs its institution. */
async function broken(
  errorCode: string,
  errorCause: string | null,
  call: 'accountsGet' | 'accountsBalanceGet' = 'accountsBalanceGet',
): Promise<PlaidFailure> {
  const { accessToken, linkId } = await item();
  await forceLink(service.api, linkId, { state: 'error', errorCode });
  await prisma().link.update({ where: { linkId }, data: { errorCause } });
  return fault(service.plaid[call]({ access_token: accessToken }));
}

/** Makes one call more than the limit of a minute. */
async function beyond(
  perMinute: number,
  call: (plaid: PlaidApi) => Promise<{ data: unknown }>,
): Promise<PlaidFailure> {
  for (let done = 0; done < perMinute; done += 10) {
    await Promise.all(
      Array.from({ length: Math.min(10, perMinute - done) }, async () =>
        call(limited.plaid).catch(() => undefined),
      ),
    );
  }
  return fault(call(limited.plaid));
}
async function beyondOfItem(
  perMinute: number,
  call: (plaid: PlaidApi, accessToken: string) => Promise<{ data: unknown }>,
  { inStrictWorld = false } = {},
): Promise<PlaidFailure> {
  const { accessToken, linkId } = await StoredItem.linked(limited.api);
  if (inStrictWorld) {
    const { appId } = await limited.api.database.prisma.link.update({
      where: { linkId },
      data: { worldId: 'wld_strict' },
    });
    await limited.api.database.prisma.sandboxWorld.upsert({
      where: { appId_worldId: { appId, worldId: 'wld_strict' } },
      update: {},
      create: {
        appId,
        worldId: 'wld_strict',
        sourceRef: randomUUID(),
        name: 'strict',
        seed: 1n,
        enforceRefreshLimits: true,
      },
    });
  }
  return beyond(perMinute, (plaid) => call(plaid, accessToken));
}

/** Started before the other tests, so that none of them has to wait for it. */
let unanswered: Promise<{ failure: PlaidFailure; seconds: number }>;
beforeAll(async () => {
  const { accessToken } = await item();
  const began = Date.now();
  unanswered = fault(service.plaid.accountsBalanceGet({ access_token: accessToken })).then(
    (failure) => ({ failure, seconds: (Date.now() - began) / 1_000 }),
  );
});

interface Row {
  status: number;
  type: keyof typeof PLAID_ERROR_TYPES;
  /** True if it includes a sentence for the end user, because the user can act. */
  display?: true;
  provoke(): Promise<PlaidFailure>;
}

/** plaid-compat 4 and 4.1: every code that the layer returns, provoked with the official client. */
const PROVOKED: Partial<Record<PlaidErrorCode, Row>> = {
  INVALID_BODY: {
    status: 400,
    type: 'INVALID_REQUEST',
    provoke: () =>
      fault(
        plaidClient(
          service.api.api.baseUrl,
          { 'Content-Type': 'application/json' },
          { transformRequest: () => '{"access_token":' },
        ).itemGet({ access_token: 'x' }),
      ),
  },
  INVALID_HEADERS: {
    status: 400,
    type: 'INVALID_REQUEST',
    provoke: () =>
      fault(
        plaidClient(service.api.api.baseUrl, { 'X-Any': 'a'.repeat(16 * 1024) }).itemGet({
          access_token: 'x',
        }),
      ),
  },
  MISSING_FIELDS: {
    status: 400,
    type: 'INVALID_REQUEST',
    provoke: () => fault(service.plaid.itemGet({} as never)),
  },
  INVALID_FIELD: {
    status: 400,
    type: 'INVALID_REQUEST',
    provoke: () => fault(service.plaid.itemGet({ access_token: 7 as never })),
  },
  SANDBOX_ONLY: {
    status: 400,
    type: 'INVALID_REQUEST',
    provoke: () => fault(live().sandboxItemResetLogin({ access_token: 'x' })),
  },
  NOT_FOUND: {
    status: 404,
    type: 'INVALID_REQUEST',
    provoke: () => fault(service.plaid.liabilitiesGet({ access_token: 'x' })),
  },
  INVALID_API_KEYS: {
    status: 400,
    type: 'INVALID_INPUT',
    provoke: () =>
      fault(
        plaidClient(service.api.api.baseUrl, {
          'PLAID-CLIENT-ID': 'no_one',
          'PLAID-SECRET': 'x',
        }).itemGet({ access_token: 'x' }),
      ),
  },
  UNAUTHORIZED_ROUTE_ACCESS: {
    status: 400,
    type: 'INVALID_INPUT',
    provoke: async () => {
      const setScopes = (scopes: readonly Scope[] | null) =>
        new KeyPairRepository(service.api.ctx).restrict(clientId('rival', 'live'), { scopes });
      await setScopes(['institutions:read']);
      const failure = await fault(
        plaidOf(service.api, 'rival', 'live').itemGet({ access_token: 'x' }),
      );
      await setScopes(null);
      return failure;
    },
  },
  UNAUTHORIZED_ENVIRONMENT: {
    status: 400,
    type: 'INVALID_INPUT',
    provoke: async () => {
      await prisma().apiClient.update({
        where: { clientId: clientId('rival', 'sandbox') },
        data: { disabledAt: new Date() },
      });
      return fault(plaidOf(service.api, 'rival').itemGet({ access_token: 'x' }));
    },
  },
  INVALID_ACCESS_TOKEN: {
    status: 400,
    type: 'INVALID_INPUT',
    provoke: () => fault(service.plaid.itemGet({ access_token: `access-sandbox-${randomUUID()}` })),
  },
  INVALID_PUBLIC_TOKEN: {
    status: 400,
    type: 'INVALID_INPUT',
    provoke: () =>
      fault(
        service.plaid.itemPublicTokenExchange({ public_token: `public-sandbox-${randomUUID()}` }),
      ),
  },
  INVALID_LINK_TOKEN: {
    status: 400,
    type: 'INVALID_INPUT',
    provoke: () =>
      fault(service.plaid.linkTokenGet({ link_token: `link-sandbox-${randomUUID()}` })),
  },
  INVALID_ACCOUNT_ID: {
    status: 400,
    type: 'INVALID_INPUT',
    provoke: async () => {
      const stored = await item();
      await stored.fetchAccounts({ providerAccountId: 'checking' });
      return fault(
        service.plaid.accountsGet({
          access_token: stored.accessToken,
          options: { account_ids: ['acc_unknown'] },
        }),
      );
    },
  },
  INVALID_INSTITUTION: {
    status: 400,
    type: 'INVALID_INPUT',
    provoke: () =>
      fault(service.plaid.institutionsGetById({ institution_id: 'ins_999999', ...US })),
  },
  INVALID_PRODUCT: {
    status: 400,
    type: 'INVALID_INPUT',
    provoke: () => fault(service.create({ products: [Products.Liabilities] })),
  },
  ADDITIONAL_CONSENT_REQUIRED: {
    status: 400,
    type: 'INVALID_INPUT',
    display: true,
    provoke: async () => {
      const { accessToken, linkId } = await item();
      await prisma().linkProduct.deleteMany({
        where: { link: { linkId }, product: 'transactions' },
      });
      return fault(service.plaid.transactionsGet({ access_token: accessToken, ...YEAR }));
    },
  },
  USER_PERMISSION_REVOKED: {
    status: 400,
    type: 'INVALID_INPUT',
    display: true,
    provoke: async () => {
      const { accessToken, linkId } = await item();
      await prisma().linkProduct.updateMany({
        where: { link: { linkId } },
        data: { errorCode: 'no_permission', state: 'failed', refreshedAt: null },
      });
      return fault(service.plaid.accountsGet({ access_token: accessToken }));
    },
  },
  ITEM_LOGIN_REQUIRED: {
    status: 400,
    type: 'ITEM_ERROR',
    display: true,
    provoke: () => broken('auth_expired', null, 'accountsGet'),
  },
  ITEM_NOT_FOUND: {
    status: 400,
    type: 'ITEM_ERROR',
    provoke: async () => {
      const { accessToken } = await item();
      await service.plaid.itemRemove({ access_token: accessToken });
      return fault(service.plaid.itemGet({ access_token: accessToken }));
    },
  },
  ITEM_CONCURRENTLY_DELETED: {
    status: 400,
    type: 'ITEM_ERROR',
    provoke: async () => {
      const stored = await item();
      const waiting = fault(service.plaid.accountsBalanceGet({ access_token: stored.accessToken }));
      await stored.whenAsked('accounts');
      await service.plaid.itemRemove({ access_token: stored.accessToken });
      return waiting;
    },
  },
  PRODUCT_NOT_READY: {
    status: 400,
    type: 'ITEM_ERROR',
    provoke: async () =>
      fault(service.plaid.transactionsGet({ access_token: (await item()).accessToken, ...YEAR })),
  },
  PRODUCTS_NOT_SUPPORTED: {
    status: 400,
    type: 'ITEM_ERROR',
    provoke: async () => fault(service.plaid.authGet({ access_token: (await item()).accessToken })),
  },
  NO_ACCOUNTS: {
    status: 400,
    type: 'ITEM_ERROR',
    display: true,
    provoke: () => broken('institution_error', 'no_accounts', 'accountsGet'),
  },
  NO_AUTH_ACCOUNTS: {
    status: 400,
    type: 'ITEM_ERROR',
    display: true,
    provoke: async () => {
      const stored = await StoredItem.linked(service.api, { products: ['account_numbers'] });
      await stored.fetchAccounts({
        providerAccountId: 'savings',
        accountType: 'liability.credit_card',
      });
      await stored.fetchNumbers({});
      return fault(service.plaid.authGet({ access_token: stored.accessToken }));
    },
  },
  INVALID_CREDENTIALS: {
    status: 400,
    type: 'ITEM_ERROR',
    display: true,
    provoke: () => broken('user_error', 'invalid_credentials', 'accountsGet'),
  },
  INVALID_MFA: {
    status: 400,
    type: 'ITEM_ERROR',
    display: true,
    provoke: () => broken('user_error', 'mfa_failed', 'accountsGet'),
  },
  ITEM_LOCKED: {
    status: 400,
    type: 'ITEM_ERROR',
    display: true,
    provoke: () => broken('user_error', 'account_locked', 'accountsGet'),
  },
  USER_SETUP_REQUIRED: {
    status: 400,
    type: 'ITEM_ERROR',
    display: true,
    provoke: () => broken('user_error', null, 'accountsGet'),
  },
  ACCESS_NOT_GRANTED: {
    status: 400,
    type: 'ITEM_ERROR',
    display: true,
    provoke: () => broken('user_error', 'user_denied', 'accountsGet'),
  },
  INSTITUTION_DOWN: {
    status: 400,
    type: 'INSTITUTION_ERROR',
    display: true,
    provoke: () => broken('institution_error', 'institution_down'),
  },
  INSTITUTION_NOT_RESPONDING: {
    status: 400,
    type: 'INSTITUTION_ERROR',
    display: true,
    provoke: () => broken('institution_error', null),
  },
  INSTITUTION_NOT_AVAILABLE: {
    status: 400,
    type: 'INSTITUTION_ERROR',
    display: true,
    provoke: () => broken('provider_error', null),
  },
  TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION: {
    status: 400,
    type: 'TRANSACTIONS_ERROR',
    provoke: async () => {
      const stored = await item();
      const rows = [{ providerTransactionId: 'a' }, { providerTransactionId: 'b' }];
      await stored.fetchTransactions(...rows);
      const {
        data: { next_cursor: cursor },
      } = await service.plaid.transactionsSync({ access_token: stored.accessToken, count: 1 });
      await stored.fetchTransactions(...rows, { providerTransactionId: 'c' });
      return fault(service.plaid.transactionsSync({ access_token: stored.accessToken, cursor }));
    },
  },
  ACCOUNTS_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () => beyondOfItem(15, (plaid, access_token) => plaid.accountsGet({ access_token })),
  },
  AUTH_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () => beyondOfItem(15, (plaid, access_token) => plaid.authGet({ access_token })),
  },
  IDENTITY_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () => beyondOfItem(15, (plaid, access_token) => plaid.identityGet({ access_token })),
  },
  ITEM_GET_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () => beyondOfItem(15, (plaid, access_token) => plaid.itemGet({ access_token })),
  },
  // An unknown account causes no fetch, but counts.
  BALANCE_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () =>
      beyondOfItem(
        5,
        (plaid, access_token) =>
          plaid.accountsBalanceGet({ access_token, options: { account_ids: ['no_one'] } }),
        { inStrictWorld: true },
      ),
  },
  TRANSACTIONS_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () =>
      beyondOfItem(30, (plaid, access_token) => plaid.transactionsGet({ access_token, ...YEAR })),
  },
  TRANSACTIONS_SYNC_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () =>
      beyondOfItem(50, (plaid, access_token) => plaid.transactionsSync({ access_token })),
  },
  TRANSACTIONS_REFRESH_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () =>
      beyondOfItem(2, (plaid, access_token) => plaid.transactionsRefresh({ access_token }), {
        inStrictWorld: true,
      }),
  },
  INSTITUTIONS_GET_BY_ID_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () =>
      beyond(400, (plaid) => plaid.institutionsGetById({ institution_id: OAUTH_BANK, ...US })),
  },
  RATE_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: () => beyond(30, (plaid) => plaid.linkTokenGet({ link_token: 'x' })),
  },
  INSTITUTION_RATE_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: async () => {
      const stored = await item();
      const waiting = fault(service.plaid.accountsBalanceGet({ access_token: stored.accessToken }));
      await stored.refuseWhenAsked('accounts', 'rate_limited');
      return waiting;
    },
  },
  CREDITS_EXHAUSTED: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: async () => {
      await prisma().apiClient.update({
        where: { clientId: clientId('rival', 'live') },
        data: { liveLimit: 0 },
      });
      return fault(
        plaidOf(service.api, 'rival', 'live').linkTokenCreate({
          client_name: 'x',
          language: 'en',
          user: { client_user_id: 'x' },
          products: [Products.Balance],
          ...US,
        }),
      );
    },
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    type: 'API_ERROR',
    provoke: () => broken('system_error', null),
  },
  PLANNED_MAINTENANCE: {
    status: 503,
    type: 'API_ERROR',
    // The sandbox bank is reached through Temporal, which is not running here.
    provoke: () =>
      fault(
        service.plaid.sandboxPublicTokenCreate({
          institution_id: OAUTH_BANK,
          initial_products: [Products.Transactions],
        }),
      ),
  },
};

const OTHER_TESTS = readdirSync('test/compat')
  .filter((name) => name.endsWith('.test.ts') && name !== 'errors.test.ts')
  .map((name) => readFileSync(join('test/compat', name), 'utf8'))
  .join('\n');
/** Requires the worker and its banks, or a webhook. */
const isProvokedElsewhere = (code: string) => OTHER_TESTS.includes(`'${code}'`);

describe('An error of the compatibility layer', () => {
  it.each(Object.entries(PROVOKED))(
    'with code %s is returned in the common shape',
    async (code, { status, type, display, provoke }) => {
      const failure = await provoke();
      const { data, headers } = failure;
      expect({
        status: failure.status,
        error_type: data.error_type,
        error_code: data.error_code,
      }).toEqual({ status, error_type: type, error_code: code });
      expect(data).toEqual({
        error_type: type,
        error_code: code,
        error_message: expect.stringMatching(/\S/),
        display_message: display === true ? expect.stringMatching(/\.$/) : null,
        suggested_action: null,
        documentation_url: `http://127.0.0.1:4000/compatibility/plaid#${code}`,
        request_id: expect.stringMatching(/^[A-Za-z0-9]{15}$/),
      });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(
        headersOf(failure).filter(
          (name) => name.startsWith('service-') || name === 'www-authenticate',
        ),
      ).toEqual([]);
      if (status === 429 && code.endsWith('_LIMIT') && code !== 'INSTITUTION_RATE_LIMIT')
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    },
  );

  it('is provoked by a test for every code the layer returns', () => {
    const folder = 'apps/api/src/plaid';
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('overview'))
      .map((path) => join(folder, path));
    const sources = [...files, 'domain/plaid/item-faults.ts']
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const codes = Object.values(PLAID_ERROR_TYPES).flatMap(
      (type) => Object.keys(type.codes) as PlaidErrorCode[],
    );
    const given = codes.filter((code) => new RegExp(`['"]${code}['"]`).test(sources));
    expect(codes.filter((code) => !given.includes(code))).toEqual([...CODES_NOT_GIVEN]);
    expect(
      given.filter((code) => PROVOKED[code] === undefined && !isProvokedElsewhere(code)),
    ).toEqual([]);
  });

  it('for an item at an OAuth bank includes the reason why its consent ended', async () => {
    const { accessToken, linkId } = await item();
    const { accessToken: other } = await item();
    await prisma().link.update({
      where: { linkId },
      data: {
        institutionId: OAUTH_BANK,
        state: 'error',
        errorCode: 'auth_expired',
        errorCause: 'consent_expired',
      },
    });
    expect(
      (await fault(service.plaid.accountsGet({ access_token: accessToken }))).data,
    ).toMatchObject({
      error_code: 'ITEM_LOGIN_REQUIRED',
      error_code_reason: 'OAUTH_CONSENT_EXPIRED',
    });
    expect(
      (await service.plaid.itemGet({ access_token: accessToken })).data.item.error,
    ).toMatchObject({ error_code_reason: 'OAUTH_CONSENT_EXPIRED' });
    expect(
      (await fault(service.plaid.transactionsGet({ access_token: other, ...YEAR }))).data,
    ).not.toHaveProperty('error_code_reason');
  });
});

describe('A call that waits for a fetch', () => {
  // plaid-compat 3.7, last lines
  it.each([
    ['institution_timeout', 'INSTITUTION_NOT_RESPONDING'],
    ['institution_down', 'INSTITUTION_DOWN'],
    ['no_accounts', 'NO_ACCOUNTS'],
    ['not_supported', 'PRODUCTS_NOT_SUPPORTED'],
    ['no_permission', 'ADDITIONAL_CONSENT_REQUIRED'],
    ['consent_expired', 'ITEM_LOGIN_REQUIRED'],
    ['internal', 'INTERNAL_SERVER_ERROR'],
  ] as const)('returns, when the fetch fails with %s, the error %s', async (cause, code) => {
    const stored = await item();
    const waiting = refusalOf(
      service.plaid.accountsBalanceGet({ access_token: stored.accessToken }),
    );
    await stored.refuseWhenAsked('accounts', cause);
    expect((await waiting)[2]).toBe(code);
  });
});

describe('/accounts/balance/get for an institution that never responds', () => {
  it('ends after 25 seconds', async () => {
    const { failure, seconds } = await unanswered;
    expect(failure.data.error_code).toBe('INSTITUTION_NOT_RESPONDING');
    expect(seconds).toBeGreaterThanOrEqual(24.9);
    expect(seconds).toBeLessThan(40);
  });
});
