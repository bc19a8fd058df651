/** How an event stands: how its newest delivery does. Source: webhooks 9, `status`. */
export const EVENT_STATUSES = [
  'pending',
  'delivered',
  'exhausted',
  'disabled',
  'no_address',
] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** What a range replay takes unless it is told otherwise. Source: webhooks 9. */
export const REPLAYED_BY_DEFAULT: readonly EventStatus[] = ['exhausted', 'disabled', 'no_address'];

/** webhooks 9: deliveries of a range start at most so many per second. */
const REPLAYS_PER_SECOND = 20;
export const BETWEEN_REPLAYS_MS = 1000 / REPLAYS_PER_SECOND;

/** When the delivery at this place of a range replay starts. */
export function replayStartsAt(now: Date, index: number): Date {
  return new Date(now.getTime() + index * BETWEEN_REPLAYS_MS);
}
