/** The meaning of an account's absence from a complete list; see `ProviderFacts.absence`. */
export type Absence = 'closed' | 'unknown';

/** The time for which an account must be missing before it is closed. */
const CLOSED_AFTER_MS: Readonly<Record<Absence, number>> = {
  closed: 0,
  unknown: 7 * 24 * 3_600_000,
};

/** Accounts that have been missing since this time or earlier are closed now. */
export function closesMissingSince(absence: Absence, now: Date): Date {
  return new Date(now.getTime() - CLOSED_AFTER_MS[absence]);
}
