import { renderWebhookBody, type WebhookContent } from '../../domain/webhook-bodies.js';
import { makeId } from '../../domain/ids.js';
import { sha256, type Context } from '../context.js';
import type { Tx } from '../database.js';
import type { Link } from '../generated/client.js';
import { notify } from './notify.js';
import { clockOf } from './world-clock.js';

export type LinkRow = Link;

export interface EventOptions {
  origin?: 'change' | 'test';
  /** `webhook_timestamp`; now, by the clock of the link, unless given. */
  at?: Date;
  /** `webhook_idempotency_key`; a new one unless given. */
  idempotencyKey?: string;
}

/** `evt_…` and the token of its first delivery, `whd_…`. */
export interface RecordedEvent {
  eventId: string;
  deliveryId: string;
}

/**
 * Writes an event with its frozen body and its first delivery, in the transaction of its cause.
 * Without an address, or with a disabled one, the event is recorded all the same. Source: webhooks 1, 8.2, 8.4.
 */
export async function recordWebhookEvent(ctx: Context, tx: Tx, link: LinkRow, content: WebhookContent, options: EventOptions = {}): Promise<RecordedEvent> {
  const now = ctx.clock();
  const idempotencyKey = options.idempotencyKey ?? ctx.uuid();
  const body = renderWebhookBody(content, { idempotencyKey, timestamp: options.at ?? (await clockOf(ctx, tx, link)), linkId: link.linkId, linkTags: link.tags });
  const status = link.webhook === null ? 'no_address' : link.webhookDisabledAt !== null ? 'disabled' : 'pending';
  const event = { id: makeId('event', ctx.random), sha256: sha256(body).toString('hex'), origin: options.origin ?? 'change' };
  const delivery = {
    id: makeId('delivery', ctx.random),
    endpoint: link.webhook === null ? null : endpointOf(link.webhook),
    reason: options.origin === 'test' ? 'test' : 'event',
    nextAttemptAt: status === 'pending' ? now : null,
  };
  // One statement, because it runs while the link is locked, several times in an exchange.
  await tx.$executeRaw`
    WITH event AS (
      INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256, created_at)
      VALUES (${event.id}, ${link.appId}, ${link.environment}, ${link.linkId}, ${content.webhook_event}, ${idempotencyKey}, ${event.origin}, ${body}, ${event.sha256}, ${now})
      RETURNING pk)
    INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, next_attempt_at, created_at)
    SELECT ${delivery.id}::text, pk, ${link.appId}::text, ${link.environment}::text, ${link.webhook}::text, ${delivery.endpoint}::text, ${delivery.reason}::text, ${status}::text, ${delivery.nextAttemptAt}::timestamptz, ${now}::timestamptz
      FROM event`;
  if (status === 'pending') await notify(tx, 'webhook_delivery');
  return { eventId: event.id, deliveryId: delivery.id };
}

/** Records what happened to a link, unless it is told in another format, which is fixed when a link is made (plaid-compat 8.1). */
export async function announce(ctx: Context, tx: Tx, link: LinkRow, content: WebhookContent): Promise<void> {
  if (link.webhookFormat === 'native') await recordWebhookEvent(ctx, tx, link, content);
}

/**
 * A data event of a link the app does not know yet is held until the exchange; of a link that was never exchanged and
 * never will be, it is dropped. Source: link-lifecycle 5.
 */
export async function recordOrHoldDataEvent(ctx: Context, tx: Tx, link: LinkRow, content: WebhookContent): Promise<void> {
  if (link.connectedAt !== null) {
    await announce(ctx, tx, link, content);
  } else if (link.state === 'connecting' || link.state === 'awaiting_token_exchange') {
    await tx.heldEvent.create({ data: { linkPk: link.pk, content: { ...content }, createdAt: ctx.clock() } });
  }
}

/** Creates the events that waited for the exchange, in their order. */
export async function releaseHeldEvents(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  const held = await tx.heldEvent.findMany({ where: { linkPk: link.pk }, orderBy: { pk: 'asc' } });
  for (const { content } of held) {
    // Only recordOrHoldDataEvent writes this column.
    await announce(ctx, tx, link, content as unknown as WebhookContent);
  }
  await tx.heldEvent.deleteMany({ where: { linkPk: link.pk } });
}

/** What the cap of simultaneous attempts counts: scheme, host and port. Source: webhooks 8.2. */
export function endpointOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${protocol}//${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
