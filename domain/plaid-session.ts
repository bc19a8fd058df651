/** What a client of the compatibility layer asked for when it made a session, beyond what any session has. Source: plaid-compat 6.1, 13. */
export interface PlaidSession {
  /** How long the token may wait to be opened. */
  unopenedMs: number;
  clientName: string;
  language: string;
  countryCodes: readonly string[];
  /** `products` of the request, as they came. */
  initialProducts: readonly string[];
  /** As they came; null = none. */
  accountFilters: Readonly<Record<string, unknown>> | null;
  /** The account types they let through; null = any. */
  accountTypes: readonly string[] | null;
  /** Days of transactions; null = not said. */
  historyDays: number | null;
  /** The alias under which the institution was named. */
  institutionAlias: string | null;
}
