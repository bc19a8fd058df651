import { randomUUID } from 'node:crypto';
import { Products } from 'plaid';
import type { LimitCode } from '../../../domain/plaid/call-limits.js';
import type { PLAID_ERROR_TYPES, PlaidErrorCode } from '../../../domain/plaid/errors.js';
import type { Scope } from '../../../domain/api/scopes.js';
import { KeyPairRepository } from '../../../prisma/tenants/applications/key-pair.repository.js';
import { clientId } from '../../support/services/api-in-process.js';
import { OAUTH_BANK } from '../../support/services/row-steps.js';
import {
  failureOf,
  plaidClient,
  plaidOf,
  type PlaidFailure,
} from '../../support/actors/plaid-client.js';
import { StoredItem } from '../../support/fixtures/stored-item.js';
import {
  failureBeyond,
  failureBeyondOfItem,
  failureOfBroken,
  linkItem,
  sharedItem,
  YEAR,
  type CompatServices,
} from './provoked-failures.js';

const US = { country_codes: ['US'] as never };

interface ProvokedError {
  /** By default 400. */
  status?: number;
  type: keyof typeof PLAID_ERROR_TYPES;
  /** True if it includes a sentence for the end user, because the user can act. */
  display?: true;
  provoke(services: CompatServices): Promise<PlaidFailure>;
}

const ofBroken =
  (...broken: [errorCode: string, cause: string | null, call?: 'accountsGet']) =>
  ({ service }: CompatServices) =>
    failureOfBroken(service, ...broken);
const limit = (code: LimitCode, provoke: ProvokedError['provoke']) => ({
  [code]: { status: 429, type: 'RATE_LIMIT_EXCEEDED' as const, provoke },
});
const beyond = (code: LimitCode, call: Parameters<typeof failureBeyond>[2]) =>
  limit(code, ({ limited }) => failureBeyond(limited, code, call));
const beyondOfItem = (
  code: LimitCode,
  ...call: [Parameters<typeof failureBeyondOfItem>[2], Parameters<typeof failureBeyondOfItem>[3]?]
) => limit(code, ({ limited }) => failureBeyondOfItem(limited, code, ...call));

/** plaid-compat 4 and 4.1: every code that the layer returns, provoked with the official client. */
export const PROVOKED_ERRORS: Partial<Record<PlaidErrorCode, ProvokedError>> = {
  INVALID_BODY: {
    type: 'INVALID_REQUEST',
    provoke: ({ service }) =>
      failureOf(
        plaidClient(
          service.api.api.baseUrl,
          { 'Content-Type': 'application/json' },
          { transformRequest: () => '{"access_token":' },
        ).itemGet({ access_token: 'x' }),
      ),
  },
  INVALID_HEADERS: {
    type: 'INVALID_REQUEST',
    provoke: ({ service }) =>
      failureOf(
        plaidClient(service.api.api.baseUrl, { 'X-Any': 'a'.repeat(16 * 1024) }).itemGet({
          access_token: 'x',
        }),
      ),
  },
  MISSING_FIELDS: {
    type: 'INVALID_REQUEST',
    provoke: ({ service }) => failureOf(service.plaid.itemGet({} as never)),
  },
  INVALID_FIELD: {
    type: 'INVALID_REQUEST',
    provoke: ({ service }) => failureOf(service.plaid.itemGet({ access_token: 7 as never })),
  },
  SANDBOX_ONLY: {
    type: 'INVALID_REQUEST',
    provoke: ({ service }) =>
      failureOf(
        plaidOf(service.api, 'pocket-ledger', 'live').sandboxItemResetLogin({ access_token: 'x' }),
      ),
  },
  NOT_FOUND: {
    status: 404,
    type: 'INVALID_REQUEST',
    provoke: ({ service }) => failureOf(service.plaid.investmentsAuthGet({ access_token: 'x' })),
  },
  INVALID_API_KEYS: {
    type: 'INVALID_INPUT',
    provoke: ({ service }) =>
      failureOf(
        plaidClient(service.api.api.baseUrl, {
          'PLAID-CLIENT-ID': 'no_one',
          'PLAID-SECRET': 'x',
        }).itemGet({ access_token: 'x' }),
      ),
  },
  UNAUTHORIZED_ROUTE_ACCESS: {
    type: 'INVALID_INPUT',
    provoke: async ({ service }) => {
      const setScopes = (scopes: readonly Scope[] | null) =>
        new KeyPairRepository(service.api.ctx).restrict(clientId('rival', 'live'), { scopes });
      await setScopes(['institutions:read']);
      const failure = await failureOf(
        plaidOf(service.api, 'rival', 'live').itemGet({ access_token: 'x' }),
      );
      await setScopes(null);
      return failure;
    },
  },
  UNAUTHORIZED_ENVIRONMENT: {
    type: 'INVALID_INPUT',
    provoke: async ({ service }) => {
      await service.api.database.prisma.apiClient.update({
        where: { clientId: clientId('rival', 'sandbox') },
        data: { disabledAt: new Date() },
      });
      return failureOf(plaidOf(service.api, 'rival').itemGet({ access_token: 'x' }));
    },
  },
  INVALID_ACCESS_TOKEN: {
    type: 'INVALID_INPUT',
    provoke: ({ service }) =>
      failureOf(service.plaid.itemGet({ access_token: `access-sandbox-${randomUUID()}` })),
  },
  INVALID_PUBLIC_TOKEN: {
    type: 'INVALID_INPUT',
    provoke: ({ service }) =>
      failureOf(
        service.plaid.itemPublicTokenExchange({ public_token: `public-sandbox-${randomUUID()}` }),
      ),
  },
  INVALID_LINK_TOKEN: {
    type: 'INVALID_INPUT',
    provoke: ({ service }) =>
      failureOf(service.plaid.linkTokenGet({ link_token: `link-sandbox-${randomUUID()}` })),
  },
  INVALID_ACCOUNT_ID: {
    type: 'INVALID_INPUT',
    provoke: async ({ service }) => {
      const stored = await linkItem(service);
      await stored.fetchAccounts({ providerAccountId: 'checking' });
      return failureOf(
        service.plaid.accountsGet({
          access_token: stored.accessToken,
          options: { account_ids: ['acc_unknown'] },
        }),
      );
    },
  },
  INVALID_INSTITUTION: {
    type: 'INVALID_INPUT',
    provoke: ({ service }) =>
      failureOf(service.plaid.institutionsGetById({ institution_id: 'ins_999999', ...US })),
  },
  INVALID_PRODUCT: {
    type: 'INVALID_INPUT',
    provoke: ({ service }) => failureOf(service.create({ products: [Products.Assets] })),
  },
  ADDITIONAL_CONSENT_REQUIRED: {
    type: 'INVALID_INPUT',
    display: true,
    provoke: async ({ service }) => {
      const { accessToken, linkId } = await linkItem(service);
      await service.api.database.prisma.linkProduct.deleteMany({
        where: { link: { linkId }, product: 'transactions' },
      });
      return failureOf(service.plaid.transactionsGet({ access_token: accessToken, ...YEAR }));
    },
  },
  USER_PERMISSION_REVOKED: {
    type: 'INVALID_INPUT',
    display: true,
    provoke: async ({ service }) => {
      const { accessToken, linkId } = await linkItem(service);
      await service.api.database.prisma.linkProduct.updateMany({
        where: { link: { linkId } },
        data: { errorCode: 'no_permission', state: 'failed', refreshedAt: null },
      });
      return failureOf(service.plaid.accountsGet({ access_token: accessToken }));
    },
  },
  ITEM_LOGIN_REQUIRED: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: ofBroken('auth_expired', null, 'accountsGet'),
  },
  ITEM_NOT_FOUND: {
    type: 'ITEM_ERROR',
    provoke: async ({ service }) => {
      const { accessToken } = await linkItem(service);
      await service.plaid.itemRemove({ access_token: accessToken });
      return failureOf(service.plaid.itemGet({ access_token: accessToken }));
    },
  },
  ITEM_CONCURRENTLY_DELETED: {
    type: 'ITEM_ERROR',
    provoke: async ({ service }) => {
      const stored = await linkItem(service);
      const waiting = failureOf(
        service.plaid.accountsBalanceGet({ access_token: stored.accessToken }),
      );
      await stored.whenAsked('accounts');
      await service.plaid.itemRemove({ access_token: stored.accessToken });
      return waiting;
    },
  },
  PRODUCT_NOT_READY: {
    type: 'ITEM_ERROR',
    provoke: async ({ service }) =>
      failureOf(
        service.plaid.transactionsGet({
          access_token: (await sharedItem(service)).accessToken,
          ...YEAR,
        }),
      ),
  },
  PRODUCTS_NOT_SUPPORTED: {
    type: 'ITEM_ERROR',
    provoke: async ({ service }) =>
      failureOf(service.plaid.authGet({ access_token: (await sharedItem(service)).accessToken })),
  },
  NO_ACCOUNTS: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: ofBroken('institution_error', 'no_accounts', 'accountsGet'),
  },
  NO_AUTH_ACCOUNTS: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: async ({ service }) => {
      const stored = await StoredItem.linked(service.api, { products: ['account_numbers'] });
      await stored.fetchAccounts({
        providerAccountId: 'savings',
        accountType: 'liability.credit_card',
      });
      await stored.fetchNumbers({});
      return failureOf(service.plaid.authGet({ access_token: stored.accessToken }));
    },
  },
  NO_INVESTMENT_ACCOUNTS: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: async ({ service }) => {
      const stored = await StoredItem.linked(service.api, { products: ['investments'] });
      await stored.fetchAccounts({ providerAccountId: 'checking' });
      await stored.fetchInvestments({ accounts: [], holdings: [], trades: null });
      return failureOf(service.plaid.investmentsHoldingsGet({ access_token: stored.accessToken }));
    },
  },
  NO_LIABILITY_ACCOUNTS: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: async ({ service }) => {
      const stored = await StoredItem.linked(service.api, { products: ['liabilities'] });
      await stored.fetchAccounts({ providerAccountId: 'checking' });
      await stored.fetchLiabilities();
      return failureOf(service.plaid.liabilitiesGet({ access_token: stored.accessToken }));
    },
  },
  INVALID_CREDENTIALS: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: ofBroken('user_error', 'invalid_credentials', 'accountsGet'),
  },
  INVALID_MFA: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: ofBroken('user_error', 'mfa_failed', 'accountsGet'),
  },
  ITEM_LOCKED: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: ofBroken('user_error', 'account_locked', 'accountsGet'),
  },
  USER_SETUP_REQUIRED: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: ofBroken('user_error', null, 'accountsGet'),
  },
  ACCESS_NOT_GRANTED: {
    type: 'ITEM_ERROR',
    display: true,
    provoke: ofBroken('user_error', 'user_denied', 'accountsGet'),
  },
  INSTITUTION_DOWN: {
    type: 'INSTITUTION_ERROR',
    display: true,
    provoke: ofBroken('institution_error', 'institution_down'),
  },
  INSTITUTION_NOT_RESPONDING: {
    type: 'INSTITUTION_ERROR',
    display: true,
    provoke: ofBroken('institution_error', null),
  },
  INSTITUTION_NOT_AVAILABLE: {
    type: 'INSTITUTION_ERROR',
    display: true,
    provoke: ofBroken('provider_error', null),
  },
  TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION: {
    type: 'TRANSACTIONS_ERROR',
    provoke: async ({ service }) => {
      const stored = await linkItem(service);
      const rows = [{ providerTransactionId: 'a' }, { providerTransactionId: 'b' }];
      await stored.fetchTransactions(...rows);
      const {
        data: { next_cursor: cursor },
      } = await service.plaid.transactionsSync({ access_token: stored.accessToken, count: 1 });
      await stored.fetchTransactions(...rows, { providerTransactionId: 'c' });
      return failureOf(
        service.plaid.transactionsSync({ access_token: stored.accessToken, cursor }),
      );
    },
  },
  ...beyondOfItem('ACCOUNTS_LIMIT', (plaid, access_token) => plaid.accountsGet({ access_token })),
  ...beyondOfItem('AUTH_LIMIT', (plaid, access_token) => plaid.authGet({ access_token })),
  ...beyondOfItem('IDENTITY_LIMIT', (plaid, access_token) => plaid.identityGet({ access_token })),
  ...beyondOfItem('ITEM_GET_LIMIT', (plaid, access_token) => plaid.itemGet({ access_token })),
  // An unknown account causes no fetch, but counts.
  ...beyondOfItem(
    'BALANCE_LIMIT',
    (plaid, access_token) =>
      plaid.accountsBalanceGet({ access_token, options: { account_ids: ['no_one'] } }),
    { inStrictWorld: true },
  ),
  ...beyondOfItem('TRANSACTIONS_LIMIT', (plaid, access_token) =>
    plaid.transactionsGet({ access_token, ...YEAR }),
  ),
  ...beyondOfItem('TRANSACTIONS_SYNC_LIMIT', (plaid, access_token) =>
    plaid.transactionsSync({ access_token }),
  ),
  ...beyondOfItem(
    'TRANSACTIONS_REFRESH_LIMIT',
    (plaid, access_token) => plaid.transactionsRefresh({ access_token }),
    {
      inStrictWorld: true,
    },
  ),
  ...beyond('INSTITUTIONS_GET_BY_ID_LIMIT', (plaid) =>
    plaid.institutionsGetById({ institution_id: OAUTH_BANK, ...US }),
  ),
  ...beyond('RATE_LIMIT', (plaid) => plaid.linkTokenGet({ link_token: 'x' })),
  INSTITUTION_RATE_LIMIT: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: async ({ service }) => {
      const stored = await linkItem(service);
      const waiting = failureOf(
        service.plaid.accountsBalanceGet({ access_token: stored.accessToken }),
      );
      await stored.refuseWhenAsked('accounts', 'rate_limited');
      return waiting;
    },
  },
  CREDITS_EXHAUSTED: {
    status: 429,
    type: 'RATE_LIMIT_EXCEEDED',
    provoke: async ({ service }) => {
      await service.api.database.prisma.apiClient.update({
        where: { clientId: clientId('rival', 'live') },
        data: { liveLimit: 0 },
      });
      return failureOf(
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
    type: 'API_ERROR',
    status: 500,
    provoke: ofBroken('system_error', null),
  },
  PLANNED_MAINTENANCE: {
    status: 503,
    type: 'API_ERROR',
    // The sandbox bank is reached through Temporal, which is not running here.
    provoke: ({ service }) =>
      failureOf(
        service.plaid.sandboxPublicTokenCreate({
          institution_id: OAUTH_BANK,
          initial_products: [Products.Transactions],
        }),
      ),
  },
};
