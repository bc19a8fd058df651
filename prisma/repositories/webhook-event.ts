import { renderWebhookBody, type WebhookContent } from '../../domain/webhook-bodies.js';
import { makeId } from '../../domain/ids.js';
import { sha256, type Context } from '../context.js';
import type { Tx } from '../database.js';
import type { Link } from '../generated/client.js';
import { notify } from './notify.js';

export type LinkRow = Link;

export interface EventOptions {
  origin?: 'change' | 'test';
  /** `webhook_timestamp`; now unless given. */
  at?: Date;
}

/**
 * Writes an event with its frozen body and its first delivery, in the transaction of its cause.
 * Without an address, or with a disabled one, the event is recorded all the same. Source: webhooks 1, 8.2, 8.4.
 */
export async function recordWebhookEvent(ctx: Context, tx: Tx, link: LinkRow, content: WebhookContent, options: EventOptions = {}): Promise<void> {
  const now = ctx.clock();
  const idempotencyKey = ctx.uuid();
  const body = renderWebhookBody(content, { idempotencyKey, timestamp: options.at ?? now, linkId: link.linkId, linkTags: link.tags });
  const status = link.webhook === null ? 'no_address' : link.webhookDisabledAt !== null ? 'disabled' : 'pending';
  await tx.webhookEvent.create({
    data: {
      eventId: makeId('event', ctx.random),
      appId: link.appId,
      environment: link.environment,
      linkId: link.linkId,
      webhookEvent: content.webhook_event,
      idempotencyKey,
      origin: options.origin ?? 'change',
      body,
      bodySha256: sha256(body).toString('hex'),
      createdAt: now,
      deliveries: {
        create: {
          deliveryId: makeId('delivery', ctx.random),
          url: link.webhook,
          endpoint: link.webhook === null ? null : endpointOf(link.webhook),
          reason: options.origin === 'test' ? 'test' : 'event',
          status,
          nextAttemptAt: status === 'pending' ? now : null,
          createdAt: now,
        },
      },
    },
  });
  if (status === 'pending') await notify(tx, 'webhook_delivery');
}

/**
 * A data event of a link the app does not know yet is held until the exchange; of a link that was never exchanged and
 * never will be, it is dropped. Source: link-lifecycle 5.
 */
export async function recordOrHoldDataEvent(ctx: Context, tx: Tx, link: LinkRow, content: WebhookContent): Promise<void> {
  if (link.connectedAt !== null) {
    await recordWebhookEvent(ctx, tx, link, content);
  } else if (link.state === 'connecting' || link.state === 'awaiting_token_exchange') {
    await tx.heldEvent.create({ data: { linkPk: link.pk, content: { ...content }, createdAt: ctx.clock() } });
  }
}

/** Creates the events that waited for the exchange, in their order. */
export async function releaseHeldEvents(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  const held = await tx.heldEvent.findMany({ where: { linkPk: link.pk }, orderBy: { pk: 'asc' } });
  for (const { content } of held) {
    // Only recordOrHoldDataEvent writes this column.
    await recordWebhookEvent(ctx, tx, link, content as unknown as WebhookContent);
  }
  await tx.heldEvent.deleteMany({ where: { linkPk: link.pk } });
}

/** What the cap of simultaneous attempts counts: scheme, host and port. Source: webhooks 8.2. */
export function endpointOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${protocol}//${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
