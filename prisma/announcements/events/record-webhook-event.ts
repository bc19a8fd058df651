import type { Environment } from '../../../domain/api/environment.js';
import type { WebhookContent } from '../../../domain/webhooks/webhook-bodies.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { clockOf } from '../../worlds/world-clock.js';
import { FORMATS } from './formats.js';
import { insertEvent, type RecordedEvent } from './insert-event.js';

export type { RecordedEvent };
export type LinkRow = Link;

export interface EventOptions {
  origin?: 'change' | 'test';
  /** `webhook_timestamp`; by default the time by the clock of the link. */
  at?: Date;
  /** `webhook_idempotency_key`; by default a new one. */
  idempotencyKey?: string;
}

/** Records a webhook in the native format. Source: webhooks 8.4. */
export function recordWebhookEvent(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  content: WebhookContent,
  options: EventOptions = {},
): Promise<RecordedEvent> {
  return recordContent(ctx, tx, link, 'native', content, options);
}

/** Records a webhook with its frozen body and its first delivery, in the transaction of its cause. */
export async function recordContent(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  format: WebhookFormat,
  content: object,
  options: EventOptions = {},
): Promise<RecordedEvent> {
  const { nameOf, bodyOf } = FORMATS[format];
  const idempotencyKey = options.idempotencyKey ?? ctx.uuid();
  return insertEvent(ctx, tx, link, {
    name: nameOf(content),
    idempotencyKey,
    format,
    origin: options.origin ?? 'change',
    body: bodyOf(content, {
      linkId: link.linkId,
      linkTags: link.tags,
      environment: link.environment as Environment,
      idempotencyKey,
      timestamp: options.at ?? (await clockOf(ctx, tx, link)),
    }),
  });
}
