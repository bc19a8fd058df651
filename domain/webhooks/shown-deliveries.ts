/**
 * webhooks 9: an event shows the delivery that gives its status and the newest of the others, this many in all. Replays and
 * listeners add deliveries without a bound of their own.
 */
export const MAX_SHOWN_DELIVERIES = 100;

/** webhooks 9 and 13: a delivery shows its last attempts; of those that a listener reports, no more are kept. */
export const MAX_SHOWN_ATTEMPTS = 20;
