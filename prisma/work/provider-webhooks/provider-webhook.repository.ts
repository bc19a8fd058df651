import type { Environment } from '../../../domain/api/environment.js';
import type { WebhookMeaning } from '../../../domain/provider-webhooks/webhook-meaning.js';
import { consequencesOf } from '../../../domain/provider-webhooks/webhook-consequences.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import { applyConsequences, type RequestFetch } from './apply-consequences.js';
import {
  openMeaning,
  openWebhook,
  sealMeaning,
  webhookKeyOwner,
  type ReceivedWebhook,
} from './sealed-webhook.js';

/**
 * `unsupported`: the adapter does not read webhooks; `failed`: the adapter could not determine the
 * meaning.
 */
export type WebhookRefusal = NonNullable<WebhookMeaning['refusal']> | 'unsupported' | 'failed';

interface WebhookRow {
  provider: string;
  state: 'received' | 'read' | 'applied' | 'refused';
  sealed: Uint8Array | null;
  received_at: Date;
}

/**
 * The life cycle of a source's webhook: received → read (its meaning is stored) → applied, or
 * refused. Each step checks the state, so that repeating it has no further effect.
 */
export class ProviderWebhookRepository {
  constructor(
    private readonly ctx: Context,
    private readonly requestFetch: RequestFetch,
  ) {}

  /** The webhook as received; null = it was already read, or no longer exists. */
  async open(webhookId: string): Promise<(ReceivedWebhook & { receivedAt: Date }) | null> {
    const { prisma } = this.ctx.database;
    const row = await prisma.providerWebhook.findUnique({ where: { webhookId } });
    if (row === null || row.state !== 'received' || row.sealed === null) return null;
    return {
      ...(await openWebhook(this.ctx, prisma, webhookId, row.sealed)),
      receivedAt: row.receivedAt,
    };
  }

  /** Replaces the received webhook with its meaning. */
  async keepMeaning(webhookId: string, meaning: WebhookMeaning): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      if ((await lock(tx, webhookId))?.state !== 'received') return;
      const sealed = await sealMeaning(this.ctx, tx, webhookId, meaning);
      await tx.providerWebhook.update({ where: { webhookId }, data: { state: 'read', sealed } });
    });
  }

  /** Ends the webhook without an effect. False = it had ended before. */
  async refuse(webhookId: string, refusal: WebhookRefusal): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const row = await lock(tx, webhookId);
      if (row?.state !== 'received' && row?.state !== 'read') return false;
      await this.settle(tx, webhookId, { state: 'refused', refusal });
      return true;
    });
  }

  /** Applies all its consequences. False = there was nothing to apply. */
  async apply(webhookId: string): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const row = await lock(tx, webhookId);
      if (row === null || row.state !== 'read' || row.sealed === null) return false;
      const meaning = await openMeaning(this.ctx, tx, webhookId, row.sealed);
      await applyConsequences(this.ctx, tx, this.requestFetch, {
        provider: row.provider,
        receivedAt: row.received_at,
        consequences: consequencesOf(meaning),
      });
      // An unsigned webhook has no trustworthy time: an equal one later counts as another.
      const released = meaning.isVerified ? {} : { bodySha256: bytesColumn(sha256(webhookId)) };
      await this.settle(tx, webhookId, { state: 'applied', ...released });
      return true;
    });
  }

  /**
   * For the sweeper: requeues webhooks whose workflow was lost, unless no worker serves their
   * configuration. Returns their number.
   */
  async requeueOverdue(before: Date, limit: number): Promise<number> {
    return this.ctx.database.transaction(async (tx) => {
      const overdue = await tx.$queryRaw<
        { webhook_id: string; provider: string; environment: Environment }[]
      >`
        SELECT w.webhook_id, w.provider, c.environment
          FROM provider_webhooks w JOIN provider_configurations c ON c.name = w.provider AND c.enabled
         WHERE w.state IN ('received', 'read') AND w.received_at < ${before}
           AND NOT EXISTS (SELECT 1 FROM outbox_commands command
                            WHERE command.kind = 'startProviderWebhook' AND command.payload->>'webhookId' = w.webhook_id)
         ORDER BY w.received_at LIMIT ${limit} FOR UPDATE OF w SKIP LOCKED`;
      for (const { webhook_id: webhookId, provider, environment } of overdue)
        await enqueueCommand(tx, {
          kind: 'startProviderWebhook',
          webhookId,
          provider,
          environment,
          overdue: true,
        });
      return overdue.length;
    });
  }

  /** For the sweeper: removes webhooks received before `before`, in any state. */
  async removeOld(before: Date, limit: number): Promise<number> {
    return this.ctx.database.transaction(async (tx) => {
      const old = await tx.providerWebhook.findMany({
        where: { receivedAt: { lt: before } },
        select: { webhookId: true },
        take: limit,
      });
      const webhookIds = old.map(({ webhookId }) => webhookId);
      await tx.dataKey.deleteMany({ where: { owner: { in: webhookIds.map(webhookKeyOwner) } } });
      await tx.providerWebhook.deleteMany({ where: { webhookId: { in: webhookIds } } });
      return webhookIds.length;
    });
  }

  private async settle(
    tx: Tx,
    webhookId: string,
    end: {
      state: 'applied' | 'refused';
      refusal?: WebhookRefusal;
      bodySha256?: Uint8Array<ArrayBuffer>;
    },
  ): Promise<void> {
    await tx.providerWebhook.update({ where: { webhookId }, data: { ...end, sealed: null } });
    await this.ctx.sealer.eraseKey(tx, webhookKeyOwner(webhookId));
  }
}

async function lock(tx: Tx, webhookId: string): Promise<WebhookRow | null> {
  const [row] = await tx.$queryRaw<WebhookRow[]>`
    SELECT provider, state, sealed, received_at FROM provider_webhooks
     WHERE webhook_id = ${webhookId} FOR UPDATE`;
  return row ?? null;
}
