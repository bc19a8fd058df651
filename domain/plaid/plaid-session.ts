import type { SessionOptions } from '../session/session-options.js';

/** The options of a session created by `/link/token/create`, with what `/link/token/get` shows of the request. Source: plaid-compat 6.1, 13. */
export interface PlaidSession extends SessionOptions {
  countryCodes: readonly string[];
  /** `products` of the request. */
  initialProducts: readonly string[];
  /** `account_filters` of the request; null = none. */
  accountFilters: Readonly<Record<string, unknown>> | null;
  /** `redirect_uri` of the request; null = none, and banks return the user to our hosted page. */
  redirectUri: string | null;
}
