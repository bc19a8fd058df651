import { createHash } from 'node:crypto';
import type { Environment } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import { sealWebhook, type ReceivedWebhook } from './sealed-webhook.js';
import { isWebhookKey } from './webhook-key.js';

/** A configuration whose source sent its key. */
export interface WebhookSender {
  provider: string;
  environment: Environment;
}

/** Stores webhooks of sources. Their adapters read them later. */
export class ProviderWebhookInbox {
  constructor(private readonly ctx: Context) {}

  /** Null = no such configuration, a different key, or it is disabled: all take the same time. */
  async sender(provider: string, key: string): Promise<WebhookSender | null> {
    const found = await this.ctx.database.prisma.providerConfiguration.findUnique({
      where: { name: provider },
      select: { environment: true, enabled: true, webhookKeyHash: true },
    });
    const isKey = isWebhookKey(key, found?.webhookKeyHash ?? null);
    if (found === null || !isKey || !found.enabled) return null;
    return { provider, environment: found.environment as Environment };
  }

  /** Stores a webhook and requests its processing, once for all equal ones. */
  async receive(
    { provider, environment }: WebhookSender,
    webhook: ReceivedWebhook,
  ): Promise<'received' | 'duplicate'> {
    const webhookId = this.ctx.uuid();
    const receivedAt = this.ctx.clock();
    return this.ctx.database.transaction(async (tx) => {
      const row = { webhookId, provider, receivedAt, createdAt: receivedAt };
      const { count } = await tx.providerWebhook.createMany({
        data: [{ ...row, bodySha256: digestOf(webhook) }],
        skipDuplicates: true,
      });
      if (count === 0) return 'duplicate';
      const sealed = await sealWebhook(this.ctx, tx, webhookId, webhook);
      await tx.providerWebhook.update({ where: { webhookId }, data: { sealed } });
      await enqueueCommand(tx, { kind: 'startProviderWebhook', webhookId, provider, environment });
      return 'received';
    });
  }
}

/**
 * Covers the body and its signature: some sources send equal bodies for every change, and a forged
 * webhook must not replace the genuine one.
 */
function digestOf({ headers, body }: ReceivedWebhook) {
  const hash = createHash('sha256').update(body);
  return bytesColumn(hash.update(`\0${JSON.stringify(headers)}`).digest());
}
