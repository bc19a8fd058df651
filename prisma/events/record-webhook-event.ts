import type { ItemWebhook } from '../../domain/plaid/webhooks.js';
import { renderWebhookBody, type WebhookContent } from '../../domain/webhooks/webhook-bodies.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import type { Link } from '../generated/client.js';
import { insertEvent, type RecordedEvent } from './insert-event.js';
import { recordItemWebhook } from './item-webhook.js';
import { asJson } from '../database/json-column.js';
import { clockOf } from '../worlds/world-clock.js';

export type { RecordedEvent };
export type LinkRow = Link;

export interface EventOptions {
  origin?: 'change' | 'test';
  /** `webhook_timestamp`; now, by the clock of the link, unless given. */
  at?: Date;
  /** `webhook_idempotency_key`; a new one unless given. */
  idempotencyKey?: string;
}

/** Writes an event of the native format with its frozen body and its first delivery, in the transaction of its cause. Source: webhooks 8.4. */
export async function recordWebhookEvent(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  content: WebhookContent,
  options: EventOptions = {},
): Promise<RecordedEvent> {
  const idempotencyKey = options.idempotencyKey ?? ctx.uuid();
  const body = renderWebhookBody(content, {
    idempotencyKey,
    timestamp: options.at ?? (await clockOf(ctx, tx, link)),
    linkId: link.linkId,
    linkTags: link.tags,
  });
  return insertEvent(ctx, tx, link, {
    name: content.webhook_event,
    idempotencyKey,
    format: 'native',
    origin: options.origin ?? 'change',
    body,
  });
}

/** Records what happened to a link, unless it is told in another format, which is fixed when a link is made (plaid-compat 8.1). */
export async function announce(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  content: WebhookContent,
): Promise<void> {
  if (link.webhookFormat === 'native') await recordWebhookEvent(ctx, tx, link, content);
}

/** The same of a link that is told of in the words of the compatibility layer. What its client does not know yet waits for the exchange. */
export async function announceItem(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  content: ItemWebhook,
): Promise<void> {
  if (link.webhookFormat === 'plaid') await recordOrHold(ctx, tx, link, content);
}

/**
 * A data event of a link the app does not know yet is held until the exchange; of a link that was never exchanged and
 * never will be, it is dropped. Source: link-lifecycle 5.
 */
export async function recordOrHoldDataEvent(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  content: WebhookContent,
): Promise<void> {
  if (link.webhookFormat === 'native') await recordOrHold(ctx, tx, link, content);
}

/** Creates the events that waited for the exchange, in their order. */
export async function releaseHeldEvents(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  const held = await tx.heldEvent.findMany({ where: { linkPk: link.pk }, orderBy: { pk: 'asc' } });
  for (const { content } of held) {
    // Only recordOrHold writes this column.
    await record(ctx, tx, link, content as unknown as WebhookContent | ItemWebhook);
  }
  await tx.heldEvent.deleteMany({ where: { linkPk: link.pk } });
}

async function recordOrHold(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  content: WebhookContent | ItemWebhook,
): Promise<void> {
  if (link.connectedAt !== null) {
    await record(ctx, tx, link, content);
  } else if (link.state === 'connecting' || link.state === 'awaiting_token_exchange') {
    await tx.heldEvent.create({
      data: { linkPk: link.pk, content: asJson(content), createdAt: ctx.clock() },
    });
  }
}

async function record(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  content: WebhookContent | ItemWebhook,
): Promise<void> {
  if ('webhook_event' in content) await recordWebhookEvent(ctx, tx, link, content);
  else await recordItemWebhook(ctx, tx, link, content);
}
