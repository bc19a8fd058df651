/** The options that a client can set for a session beyond a native request. Stored as JSON. */
export interface SessionOptions {
  /** The lifetime of the token before the session is opened. */
  unopenedMs: number;
  /** The name that Connect shows instead of the app's. */
  clientName: string;
  /** The requested language. */
  language: string;
  /** The account types that may be linked; null = all. */
  accountTypes: readonly string[] | null;
  /** Days of transactions; null = unspecified. */
  historyDays: number | null;
  /** The alias by which the institution was requested. */
  institutionAlias: string | null;
  /** Connect runs on its own hosted page, which redirects to this address at the end; null = in an SDK. */
  hosted: { completionRedirectUri: string | null } | null;
  /** A relink shows the account question even when the bank lists no new account. */
  asksForAccounts: boolean;
}

/** Whether a session was created for the hosted page. `options`: as stored. */
export function isHosted({ options }: { options: unknown }): boolean {
  // Only LinkSessionRepository.create stores options.
  const stored = options as SessionOptions | null;
  return stored !== null && stored.hosted !== null;
}
