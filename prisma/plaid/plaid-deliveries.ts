import type { Context } from '../context.js';
import { openEventBody } from '../events/event-body.js';
import type { DueDelivery } from '../webhooks/due-delivery.js';

/** What deliveries of the compatibility layer need beside what every delivery does. */
export class PlaidDeliveries {
  constructor(private readonly ctx: Context) {}

  /** The bytes to send; once the tokens are erased, what is shown of them. */
  async body({ eventId, body, sealedBody }: DueDelivery): Promise<string> {
    return sealedBody === null
      ? body
      : ((await openEventBody(this.ctx, eventId, sealedBody)) ?? body);
  }

  /** Keeps when the last webhook of an Item was attempted, and its code. Source: plaid-compat 8.3. */
  async noteAttempt(
    { linkId, webhookEvent }: Pick<DueDelivery, 'linkId' | 'webhookEvent'>,
    at: Date,
  ): Promise<void> {
    const code = webhookEvent.slice(webhookEvent.indexOf('.') + 1);
    await this.ctx.database.pool.query(
      'UPDATE links SET webhook_sent_at = $2, webhook_sent_code = $3 WHERE link_id = $1 AND (webhook_sent_at IS NULL OR webhook_sent_at <= $2)',
      [linkId, at, code],
    );
  }
}
