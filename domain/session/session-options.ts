/** What a client can ask of a session beyond a native request. Stored as JSON. */
export interface SessionOptions {
  /** How long the token may wait to be opened. */
  unopenedMs: number;
  /** The name Connect shows instead of the app's. */
  clientName: string;
  /** As requested. */
  language: string;
  /** The account types that may be linked; null = all. */
  accountTypes: readonly string[] | null;
  /** Days of transactions; null = unspecified. */
  historyDays: number | null;
  /** The alias the institution was requested by. */
  institutionAlias: string | null;
  /** Connect runs on its own hosted page, which redirects to this address at the end; null = in an SDK. */
  hosted: { completionRedirectUri: string | null } | null;
  /** A relink asks for accounts even when the bank lists no new one. */
  asksForAccounts: boolean;
}

/** Whether a session was made for the hosted page. `options`: as stored. */
export function isHosted({ options }: { options: unknown }): boolean {
  // Only LinkSessionRepository.create stores options.
  const stored = options as SessionOptions | null;
  return stored !== null && stored.hosted !== null;
}
