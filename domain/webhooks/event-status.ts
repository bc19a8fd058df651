/** How an event stands: how its newest delivery does. Source: webhooks 9, `status`. */
export const EVENT_STATUSES = [
  'pending',
  'delivered',
  'exhausted',
  'disabled',
  'no_address',
] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** What a range replay sends again by default. Source: webhooks 9. */
export const REPLAYED_BY_DEFAULT: readonly EventStatus[] = ['exhausted', 'disabled', 'no_address'];

/**
 * webhooks 9: at most 20 deliveries of a range start in any second. A claim counts those of a slightly longer time, because
 * an attempt starts some milliseconds after its claim.
 */
export const REPLAY_PACE = { starts: 20, windowMs: 1_200 };

/** When the delivery at this place of a range replay starts. */
export function replayStartsAt(now: Date, index: number): Date {
  return new Date(now.getTime() + index * (REPLAY_PACE.windowMs / REPLAY_PACE.starts));
}
