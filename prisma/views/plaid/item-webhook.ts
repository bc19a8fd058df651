import type { ItemWebhook } from '../../../domain/plaid/webhooks.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import {
  recordContent,
  type LinkRow,
  type RecordedEvent,
} from '../../announcements/events/record-webhook-event.js';

/** Records a webhook that no change of the link caused. Source: plaid-compat 8. */
export function recordItemWebhook(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  content: ItemWebhook,
  origin: 'change' | 'test' = 'change',
): Promise<RecordedEvent> {
  return recordContent(ctx, tx, link, 'plaid', content, { origin });
}
