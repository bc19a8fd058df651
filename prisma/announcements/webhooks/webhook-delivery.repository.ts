import type { Environment } from '../../../domain/api/environment.js';
import type { WebhookEventName } from '../../../domain/webhooks/webhook-event-name.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { notify } from '../../base/database/notifications.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';

export type DeliveryStatus =
  | 'pending'
  | 'delivered'
  | 'exhausted'
  | 'disabled'
  | 'no_address'
  | 'replaced';

export type RetryRequest =
  | { kind: 'unknown' }
  | { kind: 'refused'; status: DeliveryStatus }
  /** `isLater`: a retry workflow makes the attempt, not the relay. */
  | { kind: 'due'; isLater: boolean };

/** The facts of a delivery that its retry workflow shows. */
export interface DeliveryDescription {
  deliveryId: string;
  status: DeliveryStatus;
  url: string | null;
  webhookEvent: WebhookEventName;
  linkId: string;
  appId: string;
  environment: Environment;
}

const OVERDUE_AT_ONCE = 1_000;
/** The age at which leases of deleted deliveries are removed. */
const FORGOTTEN_LEASE_MS = 3_600_000;

/** The actions of operators, the outbox and the sweeper on deliveries. Source: webhooks 8. */
export class WebhookDeliveryRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Cancels a delivery: there are no further attempts, and its workflow ends. The event stays in
   * the log and can be replayed.
   */
  async stop(deliveryId: string): Promise<DeliveryStatus | null> {
    return this.ctx.database.transaction(async (tx) => {
      const [row] = await tx.$queryRaw<
        { pk: bigint; status: DeliveryStatus; in_workflow: boolean }[]
      >`
        SELECT pk, status, in_workflow FROM webhook_deliveries WHERE delivery_id = ${deliveryId} FOR NO KEY UPDATE`;
      if (row === undefined) return null;
      if (row.status !== 'pending') return row.status;
      await tx.webhookDelivery.update({
        where: { pk: row.pk },
        data: { status: 'exhausted', nextAttemptAt: null },
      });
      if (row.in_workflow) await enqueueCommand(tx, { kind: 'endWebhookDelivery', deliveryId });
      return 'exhausted';
    });
  }

  /**
   * Makes the next attempt due now. An exhausted delivery is reopened, unless its event was
   * replayed since.
   */
  async retryNow(deliveryId: string): Promise<RetryRequest> {
    return this.ctx.database.transaction(async (tx) => {
      const [row] = await tx.$queryRaw<
        { pk: bigint; status: DeliveryStatus; attempts: number; newest: boolean }[]
      >`
        SELECT pk, status, attempts, newest FROM webhook_deliveries WHERE delivery_id = ${deliveryId} FOR NO KEY UPDATE`;
      if (row === undefined) return { kind: 'unknown' };
      const { pk, status, attempts, newest } = row;
      if (status !== 'pending' && !(status === 'exhausted' && newest))
        return { kind: 'refused', status };
      const isLater = attempts > 0;
      // Otherwise this command would end the workflow that starts now.
      await tx.$executeRaw`DELETE FROM outbox_commands WHERE kind = 'endWebhookDelivery' AND payload ->> 'deliveryId' = ${deliveryId}`;
      await tx.webhookDelivery.update({
        where: { pk },
        data: { status: 'pending', nextAttemptAt: this.ctx.clock(), inWorkflow: isLater },
      });
      if (isLater) await enqueueCommand(tx, { kind: 'startWebhookDelivery', deliveryId });
      else notify(tx, 'webhook_delivery');
      return { kind: 'due', isLater };
    });
  }

  async describe(deliveryId: string): Promise<DeliveryDescription | null> {
    const row = await this.ctx.database.prisma.webhookDelivery.findUnique({
      where: { deliveryId },
      include: { event: true },
    });
    if (row === null) return null;
    const { status, url, event } = row;
    return {
      deliveryId,
      status: status as DeliveryStatus,
      url,
      webhookEvent: event.webhookEvent as WebhookEventName,
      linkId: event.linkId,
      appId: event.appId,
      environment: event.environment as Environment,
    };
  }

  /**
   * Starts new workflows for retries that are overdue, as after the loss of all histories. @returns
   * their number
   */
  async requeueOverdue(now: Date, olderThanMs: number): Promise<number> {
    return this.ctx.database.transaction(async (tx) => {
      const count = await tx.$executeRawUnsafe(
        loadSql('webhook-requeue-overdue'),
        after(now, -olderThanMs),
        now,
        OVERDUE_AT_ONCE,
      );
      if (count > 0) notify(tx, 'outbox');
      await tx.webhookLease.deleteMany({
        where: { leasedUntil: { lt: after(now, -FORGOTTEN_LEASE_MS) } },
      });
      return count;
    });
  }
}

function after(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds);
}
