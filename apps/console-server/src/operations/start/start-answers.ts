import type { LinkError } from '../../../../../domain/link/link-state.js';

/** `GET /apps/:app/:env/start`: the first steps that rows tell; times are ISO 8601, null = not yet. */
export interface StartFacts {
  /** When a secret of the app was last used, to the minute. */
  key_used_at: string | null;
  /** The first link that is listed. */
  linked: { link_id: string; at: string } | null;
  /** The newest event that its receiver accepted. */
  delivered: { event_id: string; at: string } | null;
  /** The newest link that was repaired, among the newest 200 changes of state. */
  repaired: { link_id: string; at: string } | null;
  /** The newest secret that a rotation created. */
  rotated: { client_id: string; at: string } | null;
}

/** `GET /apps/:app/:env/counts`: each number ends at `limit + 1`, which stands for more. */
export interface Counts {
  links_in_error: Record<LinkError, number>;
  /** Events whose newest delivery has this status. */
  events: { pending: number; exhausted: number; disabled: number };
  sessions: { created: number; open: number };
  limit: number;
}
