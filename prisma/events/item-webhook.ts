import type { Environment } from '../../domain/api/environment.js';
import {
  plaidWebhookName,
  renderItemWebhook,
  type ItemWebhook,
} from '../../domain/plaid/webhooks.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { insertEvent, type EventSubject, type RecordedEvent } from './insert-event.js';

/** Writes a webhook of the compatibility layer, its body frozen, in the transaction of its cause. Source: plaid-compat 8. */
export async function recordItemWebhook(
  ctx: Context,
  tx: Tx,
  link: EventSubject,
  content: ItemWebhook,
  origin: 'change' | 'test' = 'change',
): Promise<RecordedEvent> {
  const body = renderItemWebhook(content, {
    itemId: link.linkId,
    environment: link.environment as Environment,
  });
  return insertEvent(ctx, tx, link, {
    name: plaidWebhookName(content),
    idempotencyKey: ctx.uuid(),
    format: 'plaid',
    origin,
    body,
  });
}
