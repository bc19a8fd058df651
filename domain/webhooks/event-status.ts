/** The status of an event, which is that of its newest delivery. Source: webhooks 9, `status`. */
export const EVENT_STATUSES = [
  'pending',
  'delivered',
  'exhausted',
  'disabled',
  'no_address',
] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The events that a range replay resends by default. Source: webhooks 9. */
export const REPLAYED_BY_DEFAULT: readonly EventStatus[] = ['exhausted', 'disabled', 'no_address'];

/**
 * webhooks 9: at most 20 deliveries of a range start in any second. A claim counts those of a
 * slightly longer time, because an attempt starts some milliseconds after its claim.
 */
export const REPLAY_PACE = { starts: 20, windowMs: 1_200 };

/** The start time of the delivery at this position of a range replay. */
export function replayStartsAt(now: Date, index: number): Date {
  return new Date(now.getTime() + index * (REPLAY_PACE.windowMs / REPLAY_PACE.starts));
}
