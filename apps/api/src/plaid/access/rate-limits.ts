import type { LimitCode } from '../../../../../domain/plaid/call-limits.js';

export interface PlaidLimit {
  /** The error code; domain/plaid/call-limits.ts has the limit. */
  code: LimitCode;
  /** Off in Sandbox, except in a world that enforces refresh limits. */
  offInSandbox?: true;
}

/** Per Item, or per client for calls without an Item. Source: plaid-compat 4.1. */
const LIMITS: Readonly<Record<string, PlaidLimit>> = {
  '/accounts/get': { code: 'ACCOUNTS_LIMIT' },
  '/auth/get': { code: 'AUTH_LIMIT' },
  '/identity/get': { code: 'IDENTITY_LIMIT' },
  '/item/get': { code: 'ITEM_GET_LIMIT' },
  '/accounts/balance/get': { code: 'BALANCE_LIMIT', offInSandbox: true },
  '/transactions/get': { code: 'TRANSACTIONS_LIMIT' },
  '/transactions/sync': { code: 'TRANSACTIONS_SYNC_LIMIT' },
  '/transactions/refresh': { code: 'TRANSACTIONS_REFRESH_LIMIT', offInSandbox: true },
  '/institutions/get_by_id': { code: 'INSTITUTIONS_GET_BY_ID_LIMIT' },
};
const OTHERS: PlaidLimit = { code: 'RATE_LIMIT' };

export function limitOf(path: string): PlaidLimit {
  return LIMITS[path] ?? OTHERS;
}
