import type { SessionOptions } from '../session/session-options.js';

/**
 * The options of a session created by `/link/token/create`, with the request fields that
 * `/link/token/get` returns. Source: plaid-compat 6.1, 13.
 */
export interface PlaidSession extends SessionOptions {
  clientName: string;
  language: string;
  countryCodes: readonly string[];
  /** `products` of the request. */
  initialProducts: readonly string[];
  /** `account_filters` of the request; null = none. */
  accountFilters: Readonly<Record<string, unknown>> | null;
  /**
   * `redirect_uri` of the request; null = none, and banks return the user to Tributary's hosted
   * page.
   */
  redirectUri: string | null;
}
