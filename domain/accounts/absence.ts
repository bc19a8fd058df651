/** What it means that a complete list leaves an account out; see `ProviderFacts.absence`. */
export type Absence = 'closed' | 'unknown';

/** How long an account is missing before it is closed. */
const CLOSED_AFTER_MS: Readonly<Record<Absence, number>> = {
  closed: 0,
  unknown: 7 * 24 * 3_600_000,
};

/** Accounts that are missing since this time or earlier are closed now. */
export function closesMissingSince(absence: Absence, now: Date): Date {
  return new Date(now.getTime() - CLOSED_AFTER_MS[absence]);
}
