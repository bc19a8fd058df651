import { apiTimestamp, apiTimestampOrNull } from '../api/timestamps.js';
import type { AttemptError } from './judge-attempt.js';
import type { EventStatus } from './event-status.js';

/** An event of the log, with the status of its newest delivery. */
export interface WebhookEventFacts {
  eventId: string;
  linkId: string;
  webhookEvent: string;
  idempotencyKey: string;
  createdAt: Date;
  origin: 'change' | 'test';
  /** The frozen bytes. */
  body: string;
  bodySha256: string;
  status: EventStatus;
  attempts: number;
  lastAttemptAt: Date | null;
  nextAttemptAt: Date | null;
}

export interface WebhookDeliveryFacts {
  deliveryId: string;
  /** Null when the link had no address, and for a listener. */
  url: string | null;
  reason: 'event' | 'replay' | 'test' | 'listener';
  status: EventStatus | 'replaced';
  createdAt: Date;
  attempts: readonly WebhookAttemptFacts[];
}

export interface WebhookAttemptFacts {
  attempt: number;
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  error: AttemptError | null;
  responseExcerpt: string | null;
}

/** WebhookEvent without its deliveries. Source: webhooks 9. */
export function presentWebhookEvent(event: WebhookEventFacts) {
  return {
    event_id: event.eventId,
    link_id: event.linkId,
    webhook_event: event.webhookEvent,
    webhook_idempotency_key: event.idempotencyKey,
    created_at: apiTimestamp(event.createdAt),
    origin: event.origin,
    status: event.status,
    attempts: event.attempts,
    last_attempt_at: apiTimestampOrNull(event.lastAttemptAt),
    next_attempt_at: apiTimestampOrNull(event.nextAttemptAt),
    // The body that recordWebhookEvent wrote.
    body: JSON.parse(event.body) as Record<string, unknown>,
    body_sha256: event.bodySha256,
  };
}

/** The wire form of a single event: with all deliveries and their attempts, oldest first. */
export function presentWebhookEventInFull(
  event: WebhookEventFacts,
  deliveries: readonly WebhookDeliveryFacts[],
) {
  return { ...presentWebhookEvent(event), deliveries: deliveries.map(presentDelivery) };
}

function presentDelivery({
  deliveryId,
  url,
  reason,
  status,
  createdAt,
  attempts,
}: WebhookDeliveryFacts) {
  return {
    delivery_token: deliveryId,
    url,
    reason,
    status,
    created_at: apiTimestamp(createdAt),
    attempts: attempts.map(
      ({ attempt, startedAt, durationMs, httpStatus, error, responseExcerpt }) => ({
        attempt,
        started_at: apiTimestamp(startedAt),
        duration_ms: durationMs,
        http_status: httpStatus,
        error,
        response_excerpt: responseExcerpt,
      }),
    ),
  };
}
