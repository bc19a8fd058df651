import type { PlaidErrorCode } from './errors.js';

/** The default calls per minute, by error code. Source: plaid-compat 4.1. */
export const CALL_LIMITS = {
  ACCOUNTS_LIMIT: 15,
  AUTH_LIMIT: 15,
  IDENTITY_LIMIT: 15,
  ITEM_GET_LIMIT: 15,
  BALANCE_LIMIT: 5,
  TRANSACTIONS_LIMIT: 30,
  TRANSACTIONS_SYNC_LIMIT: 50,
  TRANSACTIONS_REFRESH_LIMIT: 2,
  INSTITUTIONS_GET_BY_ID_LIMIT: 400,
  RATE_LIMIT: 30,
} as const satisfies Partial<Record<PlaidErrorCode, number>>;

export type LimitCode = keyof typeof CALL_LIMITS;
export type CallLimits = Readonly<Record<LimitCode, number>>;
