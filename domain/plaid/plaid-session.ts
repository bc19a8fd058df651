/** What a client of the compatibility layer asked for when it made a session, beyond what any session has. Source: plaid-compat 6.1, 13. */
export interface PlaidSession {
  /** How long the token may wait to be opened. */
  unopenedMs: number;
  /** What Connect calls whoever asks, instead of the app's name. */
  clientName: string;
  /** As it came. */
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
  /** As it came; null = none, and banks send the user back to a page of ours. */
  redirectUri: string | null;
  /** A page of ours runs Connect alone, and sends the browser to this address in the end; null = an SDK opens it. */
  hosted: { completionRedirectUri: string | null } | null;
  /** In update mode: the user chooses accounts, also when the bank shows no new one. */
  asksForAccounts: boolean;
}
