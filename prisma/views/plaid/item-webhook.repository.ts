import type { Tenant } from '../../../domain/api/environment.js';
import type { ItemWebhook } from '../../../domain/plaid/webhooks.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkRow } from '../../announcements/events/record-webhook-event.js';
import { permittedLinks } from '../../tenants/applications/permitted-rows.js';
import { lockLink } from '../../links/link/link-transition.js';
import { takeRoom } from '../../tenants/usage/app-use.js';
import { recordItemWebhook } from './item-webhook.js';

/** Webhooks of an Item that its client requests. */
export class ItemWebhookRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Changes or clears the address, and sends the new one an acknowledgment. False when the link is
   * unknown or deleted. Source: plaid-compat 7, 8.1.
   */
  async updateAddress(tenant: Tenant, linkId: string, webhook: string | null): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockOwn(tx, tenant, linkId);
      if (link === null) return false;
      const changed = await tx.link.update({
        where: { pk: link.pk },
        data: { webhook, webhookDisabledAt: null, revision: { increment: 1 } },
      });
      if (webhook !== null && link.webhookFormat === 'plaid') {
        takeRoom(this.ctx, tx, tenant, { replays: 1 });
        await recordItemWebhook(this.ctx, tx, changed, {
          webhook_type: 'ITEM',
          webhook_code: 'WEBHOOK_UPDATE_ACKNOWLEDGED',
          new_webhook_url: webhook,
          error: null,
        });
      }
      return true;
    });
  }

  /**
   * Sends a test webhook. False when the Item does not have an address. Source: plaid-compat 7,
   * `/sandbox/item/fire_webhook`.
   */
  async fire(tenant: Tenant, linkId: string, webhook: ItemWebhook): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockOwn(tx, tenant, linkId);
      if (link === null || link.webhook === null || link.webhookFormat !== 'plaid') return false;
      takeRoom(this.ctx, tx, tenant, { test_events: 1 });
      await recordItemWebhook(this.ctx, tx, link, webhook, 'test');
      return true;
    });
  }
}

async function lockOwn(tx: Tx, tenant: Tenant, linkId: string): Promise<LinkRow | null> {
  const found = await tx.link.findFirst({
    where: { AND: [{ linkId }, permittedLinks(tenant)] },
    select: { pk: true },
  });
  const link = found === null ? null : await lockLink(tx, found.pk);
  return link === null || link.state === 'deleted' ? null : link;
}
