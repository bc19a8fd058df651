/** The options that a client can set for a session beyond a native request. Stored as JSON. */
export interface SessionOptions {
  /** The lifetime of the token before the session is opened; null = the usual one. */
  unopenedMs: number | null;
  /** The name that Connect shows instead of the app's; null = the app's. */
  clientName: string | null;
  /** The requested language; null = the page chooses. */
  language: string | null;
  /** The account types that may be linked; null = all. */
  accountTypes: readonly string[] | null;
  /** Days of transactions; null = unspecified. */
  historyDays: number | null;
  /** The alias by which the institution was requested. */
  institutionAlias: string | null;
  /** Connect runs on its own hosted page, which redirects to this address at the end; null = in an SDK. */
  hosted: HostedPage | null;
  /** A relink shows the account question even when the bank lists no new account. */
  asksForAccounts: boolean;
}

export interface HostedPage {
  completionRedirectUri: string | null;
  /** The address receives the session and its outcome as parameters. */
  reportsOutcome: boolean;
}

/** Whether a session was created for the hosted page. `options`: as stored. */
export function isHosted({ options }: { options: unknown }): boolean {
  // Only LinkSessionRepository.create stores options.
  const stored = options as SessionOptions | null;
  return stored !== null && stored.hosted !== null;
}
