import type { LinkError, LinkState } from '../../../../../domain/link/link-state.js';

/** Sources of a timeline, in `kinds` and in each entry. */
export type ShownKind = 'link' | 'operator' | 'route' | 'session' | 'permission' | 'event';

/** A page of what happened to a link, newest first; times are ISO 8601. */
export interface ShownTimeline {
  link_id: string;
  app_id: string;
  environment: string;
  institution_id: string;
  provider: string;
  state: LinkState;
  error: LinkError | null;
  error_cause: string | null;
  /** The state in words, and who can do what about it. */
  title: string;
  meaning: string;
  remedy: string | null;
  /** The work that it waits for; on the first page alone. */
  now: ShownPresent | null;
  entries: ShownEntry[];
  /** The place where the next page begins; null = this is the last one. */
  before: string | null;
  /** Sentences on everything that the rows cannot tell; on the last page alone. */
  unknown: string[];
}

export interface ShownPresent {
  next_due_at: string | null;
  products: {
    product: string;
    refreshed_at: string | null;
    error_code: string | null;
    error_cause: string | null;
  }[];
  waiting_refreshes: { product: string; cause: string; created_at: string }[];
  /** Counts, `100+` for more. */
  held_events: string;
  permissions_to_end: string;
}

export interface ShownEntry {
  kind: ShownKind;
  at: string;
  /** The id by which other calls find it; null = it has none. */
  id: string | null;
  title: string;
  cause: string | null;
  remedy: string | null;
  /** Details, in the order of reading. */
  lines: readonly string[];
}
