import type { PlaidErrorCode } from '../../../../../../domain/plaid/errors.js';

export interface PlaidLimit {
  perMinute: number;
  code: PlaidErrorCode;
  /** Off in Sandbox, except in a world that was made to have it. */
  offInSandbox?: true;
}

/** Calls a minute, per Item or, where a call names none, per client. Source: plaid-compat 4.1. */
const LIMITS: Readonly<Record<string, PlaidLimit>> = {
  '/accounts/get': { perMinute: 15, code: 'ACCOUNTS_LIMIT' },
  '/auth/get': { perMinute: 15, code: 'AUTH_LIMIT' },
  '/identity/get': { perMinute: 15, code: 'IDENTITY_LIMIT' },
  '/item/get': { perMinute: 15, code: 'ITEM_GET_LIMIT' },
  '/accounts/balance/get': { perMinute: 5, code: 'BALANCE_LIMIT', offInSandbox: true },
  '/transactions/get': { perMinute: 30, code: 'TRANSACTIONS_LIMIT' },
  '/transactions/sync': { perMinute: 50, code: 'TRANSACTIONS_SYNC_LIMIT' },
  '/transactions/refresh': { perMinute: 2, code: 'TRANSACTIONS_REFRESH_LIMIT', offInSandbox: true },
  '/institutions/get_by_id': { perMinute: 400, code: 'INSTITUTIONS_GET_BY_ID_LIMIT' },
};
const OTHERS: PlaidLimit = { perMinute: 30, code: 'RATE_LIMIT' };

export function limitOf(path: string): PlaidLimit {
  return LIMITS[path] ?? OTHERS;
}
