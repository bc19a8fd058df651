/** `unreadable`: part of it could not be read. `not_reported`: the source did not report on it. */
export const INCOMPLETE_REASONS = ['unreadable', 'not_reported'] as const;
export type IncompleteReason = (typeof INCOMPLETE_REASONS)[number];

/** The wire form of an account whose data was incomplete in a refresh. Source: native-api 4.2. */
export interface PresentedIncomplete {
  /** Null = an unknown account. */
  account_id: string | null;
  account_name: string | null;
  reason: IncompleteReason;
  since: string;
}
