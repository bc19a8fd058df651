import type { ItemWebhook } from '../../domain/plaid/webhooks.js';
import type { Tenant } from '../../domain/api/environment.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { recordItemWebhook } from '../events/item-webhook.js';
import { lockLink } from '../links/link-transition.js';
import { announceItem, type LinkRow } from '../events/record-webhook-event.js';

/** What a client of the compatibility layer does with the webhooks of an Item. */
export class ItemWebhookRepository {
  constructor(private readonly ctx: Context) {}

  /** Changes or clears the address, and tells the new one so. False when the link is deleted, or none of this tenant. Source: plaid-compat 7, 8.1. */
  async updateAddress(tenant: Tenant, linkId: string, webhook: string | null): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockOwn(tx, tenant, linkId);
      if (link === null) return false;
      const changed = await tx.link.update({
        where: { pk: link.pk },
        data: { webhook, webhookDisabledAt: null, revision: { increment: 1 } },
      });
      if (webhook !== null)
        await announceItem(this.ctx, tx, changed, {
          webhook_type: 'ITEM',
          webhook_code: 'WEBHOOK_UPDATE_ACKNOWLEDGED',
          new_webhook_url: webhook,
          error: null,
        });
      return true;
    });
  }

  /** A webhook without a cause. False when there is no address it could go to. Source: plaid-compat 7, `/sandbox/item/fire_webhook`. */
  async fire(tenant: Tenant, linkId: string, webhook: ItemWebhook): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockOwn(tx, tenant, linkId);
      if (link === null || link.webhook === null || link.webhookFormat !== 'plaid') return false;
      await recordItemWebhook(this.ctx, tx, link, webhook, 'test');
      return true;
    });
  }
}

async function lockOwn(
  tx: Tx,
  { appId, environment }: Tenant,
  linkId: string,
): Promise<LinkRow | null> {
  const found = await tx.link.findFirst({
    where: { linkId, appId, environment },
    select: { pk: true },
  });
  const link = found === null ? null : await lockLink(tx, found.pk);
  return link === null || link.state === 'deleted' ? null : link;
}
