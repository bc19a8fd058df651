import type { Environment } from '../../domain/api/environment.js';
import type { WebhookEventName } from '../../domain/webhooks/webhook-event-name.js';
import type { WebhookFormat } from '../../domain/webhooks/webhook-format.js';

/** A claimed delivery: its next attempt has to be made before the lease ends. */
export interface DueDelivery {
  pk: bigint;
  /** The delivery token, `whd_…`. */
  deliveryId: string;
  url: string;
  /** Scheme, host and port. */
  endpoint: string;
  /** Number of the attempt to make, from 1. */
  attempt: number;
  firstAttemptAt: Date | null;
  shiftMs: number;
  eventId: string;
  appId: string;
  linkId: string;
  webhookEvent: WebhookEventName;
  idempotencyKey: string;
  environment: Environment;
  format: WebhookFormat;
  /** The frozen body. */
  body: string;
  /** What is sent instead, if not null: the same body with its tokens. */
  sealedBody: Uint8Array | null;
}

export interface DueRow {
  pk: string;
  delivery_id: string;
  url: string;
  endpoint: string;
  attempts: number;
  first_attempt_at: Date | null;
  shift_ms: string;
  event_id: string;
  app_id: string;
  link_id: string;
  webhook_event: WebhookEventName;
  idempotency_key: string;
  environment: Environment;
  format: WebhookFormat;
  body: string;
  sealed_body: Uint8Array | null;
}

export function toDueDelivery(row: DueRow): DueDelivery {
  return {
    pk: BigInt(row.pk),
    deliveryId: row.delivery_id,
    url: row.url,
    endpoint: row.endpoint,
    attempt: row.attempts + 1,
    firstAttemptAt: row.first_attempt_at,
    shiftMs: Number(row.shift_ms),
    eventId: row.event_id,
    appId: row.app_id,
    linkId: row.link_id,
    webhookEvent: row.webhook_event,
    idempotencyKey: row.idempotency_key,
    environment: row.environment,
    format: row.format,
    body: row.body,
    sealedBody: row.sealed_body,
  };
}
