import { z } from 'zod';

export const PartsInput = z.object({});

/** One part that the service needs. */
export interface ShownPart {
  /** `database`, `database_identity`, `schema`, `master_keys`, `temporal`, `namespace` or `search_attributes`. */
  name: string;
  ok: boolean;
  /** The cause of a part that is not ok, in one sentence without a period. */
  detail: string | null;
  remedy: string | null;
}

/** Work that waits in the database. */
export interface WaitingWork {
  name: 'commands' | 'links_due' | 'refresh_requests' | 'webhooks';
  /** Counted up to 1,000. */
  waiting: number;
  /** The wait of the oldest; 0 = none waits. */
  oldest_seconds: number;
  /** The process to look at; null = it does not wait longer than it should. */
  remedy: string | null;
}

/** `GET /instance/parts`; kept for 5 seconds. */
export interface Parts {
  version: string;
  build: string;
  parts: ShownPart[];
  /** Null = the database does not respond. */
  waiting: WaitingWork[] | null;
  read_at: string;
}
