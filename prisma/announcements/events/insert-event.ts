import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import { makeId } from '../../../domain/api/ids.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import { notify } from '../../base/database/notifications.js';
import { currentTraceId } from '../../base/database/work-origin.js';
import type { Tx } from '../../base/database/tx.js';
import { EVENT_WRITERS, writerKey } from './event-writers.js';

/** The owner and the address of an event. */
export interface EventSubject {
  appId: string;
  environment: string;
  /** The link, or the session if there is no link. */
  linkId: string;
  webhook: string | null;
  webhookDisabledAt: Date | null;
}

export interface NewEvent {
  name: string;
  idempotencyKey: string;
  format: WebhookFormat;
  origin: 'change' | 'test';
  /** Frozen: exactly these bytes are sent, unless `seal` returns others. */
  body: string;
  /** Seals the bytes to send instead; `sha256` is computed from the plain bytes. */
  seal?: (eventId: string) => Promise<{ sealed: Uint8Array; sha256: Buffer }>;
}

/** `evt_…` and the id of its first delivery, `whd_…`. */
export interface RecordedEvent {
  eventId: string;
  deliveryId: string;
}

/**
 * Inserts an event and its first delivery, in the transaction of its cause. An event without an
 * address, or with a disabled one, is also recorded. Source: webhooks 1, 8.2, 8.4.
 */
export async function insertEvent(
  ctx: Context,
  tx: Tx,
  subject: EventSubject,
  { name, idempotencyKey, format, origin, body, seal }: NewEvent,
): Promise<RecordedEvent> {
  const now = ctx.clock();
  const status =
    subject.webhook === null
      ? 'no_address'
      : subject.webhookDisabledAt !== null
        ? 'disabled'
        : 'pending';
  const eventId = makeId('event', ctx.random);
  const kept = seal === undefined ? null : await seal(eventId);
  const hash = (kept?.sha256 ?? sha256(body)).toString('hex');
  const delivery = {
    id: makeId('delivery', ctx.random),
    endpoint: subject.webhook === null ? null : endpointOf(subject.webhook),
    reason: origin === 'test' ? 'test' : 'event',
    nextAttemptAt: status === 'pending' ? now : null,
  };
  // One statement, because it runs while the link is locked, several times in an exchange. The lock comes before the key:
  // SettledEvents.
  await tx.$executeRaw`
    WITH writing AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${EVENT_WRITERS}::int, ${writerKey(subject)}::int)),
    event AS (
      INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, format, body, sealed_body, body_sha256, created_at)
      SELECT ${eventId}::text, ${subject.appId}::text, ${subject.environment}::text, ${subject.linkId}::text, ${name}::text, ${idempotencyKey}::text, ${origin}::text, ${format}::text,
             ${body}::text, ${kept === null ? null : bytesColumn(kept.sealed)}::bytea, ${hash}::text, ${now}::timestamptz
        FROM writing
      RETURNING pk)
    INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, next_attempt_at, trace_id, created_at)
    SELECT ${delivery.id}::text, pk, ${subject.appId}::text, ${subject.environment}::text, ${subject.webhook}::text, ${delivery.endpoint}::text, ${delivery.reason}::text, ${status}::text, ${delivery.nextAttemptAt}::timestamptz, ${currentTraceId()}::uuid, ${now}::timestamptz
      FROM event`;
  if (status === 'pending') notify(tx, 'webhook_delivery');
  return { eventId, deliveryId: delivery.id };
}

/** The unit of the cap on simultaneous attempts: scheme, host and port. Source: webhooks 8.2. */
export function endpointOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${protocol}//${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
