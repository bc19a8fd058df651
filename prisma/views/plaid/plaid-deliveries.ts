import type { Context } from '../../base/context.js';
import { openEventBody } from '../../announcements/events/event-body.js';
import type { DueDelivery } from '../../announcements/webhooks/due-delivery.js';

/** The parts of a delivery that only webhooks of the compatibility layer have. */
export class PlaidDeliveries {
  constructor(private readonly ctx: Context) {}

  /** The bytes to send, or, once their tokens are erased, the body without them. */
  async body({ eventId, body, sealedBody }: DueDelivery): Promise<string> {
    return sealedBody === null
      ? body
      : ((await openEventBody(this.ctx, eventId, sealedBody)) ?? body);
  }

  /** Stores the time and the code of the last attempted webhook of an Item. Source: plaid-compat 8.3. */
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
