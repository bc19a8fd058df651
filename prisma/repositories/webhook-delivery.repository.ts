import type { Environment } from '../../domain/environment.js';
import type { AttemptError } from '../../domain/webhook-attempts.js';
import type { WebhookContent } from '../../domain/webhook-bodies.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import { loadSql } from '../sql/load-sql.js';
import { notify } from './notify.js';
import { enqueueCommand } from './outbox.js';
import { inSlotClaim } from './webhook-slots.js';

export type DeliveryStatus = 'pending' | 'delivered' | 'exhausted' | 'disabled' | 'no_address' | 'replaced';
export type WebhookEventName = WebhookContent['webhook_event'];

/** A delivery whose next attempt the caller has to make before its lease is over. */
export interface DueDelivery {
  pk: bigint;
  /** The delivery token, `whd_…`. */
  deliveryId: string;
  url: string;
  /** Number of the attempt to make, from 1. */
  attempt: number;
  firstAttemptAt: Date | null;
  shiftMs: number;
  eventId: string;
  linkId: string;
  webhookEvent: WebhookEventName;
  idempotencyKey: string;
  /** The frozen body. */
  body: string;
}

export type AttemptClaim =
  | { kind: 'due'; delivery: DueDelivery }
  /** Too early, or someone else is making the attempt until then. */
  | { kind: 'notDue'; dueAt: Date }
  /** The endpoint has as many attempts under way as it may. */
  | { kind: 'noSlot' }
  | { kind: 'unknown' }
  | { kind: 'done'; status: Exclude<DeliveryStatus, 'pending'>; attempts: number };

export interface RecordedOutcome {
  deliveryPk: bigint;
  attempt: number;
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  error: AttemptError | null;
  responseExcerpt: string | null;
  /** What follows from it. */
  status: 'pending' | 'delivered' | 'exhausted' | 'disabled';
  nextAttemptAt: Date | null;
  shiftMs: number;
}

/** What the start of a delivery workflow shows of a delivery. */
export interface DeliveryDescription {
  deliveryId: string;
  status: DeliveryStatus;
  url: string | null;
  webhookEvent: WebhookEventName;
  linkId: string;
  appId: string;
  environment: Environment;
}

export interface SlotOptions {
  /** Attempts at a time per scheme, host and port. */
  perEndpoint: number;
  /** An attempt that is not recorded within this time is made again. */
  leaseMs: number;
}

const OVERDUE_AT_ONCE = 1_000;

/** Deliveries of webhook events: who may make which attempt when, and what came of it. Source: webhooks 8. */
export class WebhookDeliveryRepository {
  constructor(private readonly ctx: Context) {}

  /** Due first attempts in the order of their events, never more of an endpoint than it has free slots. */
  async claimFirstAttempts({ limit, perEndpoint, leaseMs }: SlotOptions & { limit: number }): Promise<DueDelivery[]> {
    return inSlotClaim(this.ctx.database.pool, 'all', async (client) => {
      const now = this.ctx.clock();
      const { rows } = await client.query<DueRow>(loadSql('webhook-claim-first-attempts'), [now, after(now, leaseMs), perEndpoint, limit]);
      return rows.map(toDueDelivery);
    });
  }

  async claimAttempt(deliveryId: string, { perEndpoint, leaseMs }: SlotOptions): Promise<AttemptClaim> {
    const row = await this.ctx.database.prisma.webhookDelivery.findUnique({ where: { deliveryId } });
    if (row === null) return { kind: 'unknown' };
    if (row.status !== 'pending' || row.endpoint === null || row.nextAttemptAt === null) {
      return { kind: 'done', status: row.status as Exclude<DeliveryStatus, 'pending'>, attempts: row.attempts };
    }
    const now = this.ctx.clock();
    const dueAt = row.leasedUntil !== null && row.leasedUntil > row.nextAttemptAt ? row.leasedUntil : row.nextAttemptAt;
    if (dueAt > now) return { kind: 'notDue', dueAt };
    const [claimed] = await inSlotClaim(this.ctx.database.pool, row.endpoint, async (client) => {
      const { rows } = await client.query<DueRow>(loadSql('webhook-claim-attempt'), [now, after(now, leaseMs), perEndpoint, row.pk]);
      return rows.map(toDueDelivery);
    });
    return claimed === undefined ? { kind: 'noSlot' } : { kind: 'due', delivery: claimed };
  }

  /** Gives attempts back that were not made to their end: they are due again at once, under the same number. */
  async release(pks: readonly bigint[]): Promise<void> {
    await this.ctx.database.prisma.webhookDelivery.updateMany({ where: { pk: { in: [...pks] } }, data: { leasedUntil: null } });
  }

  /**
   * Writes outcomes, and in the same transaction what follows: a failed first attempt becomes a workflow, an answer 410
   * ends what the link still sends to that address. Doing it twice changes nothing.
   */
  async recordOutcomes(outcomes: readonly RecordedOutcome[]): Promise<void> {
    const input = JSON.stringify(outcomes.map(toOutcomeRow));
    if (outcomes.every(({ status }) => status === 'delivered')) {
      // Nothing follows from a delivery: one statement, which is a transaction of its own.
      await this.ctx.database.pool.query(loadSql('webhook-record-outcomes'), [input]);
      return;
    }
    await this.ctx.database.transaction(async (tx) => {
      const recorded = await tx.$queryRawUnsafe<RecordedRow[]>(loadSql('webhook-record-outcomes'), input);
      for (const row of recorded) {
        if (row.status === 'pending' && row.attempts === 1) await enqueueCommand(tx, { kind: 'startWebhookDelivery', deliveryId: row.delivery_id });
        if (row.outcome === 'disabled') await this.disableAddress(tx, row.link_id, row.url);
      }
    });
  }

  /** An operator cancelled the delivery: no further attempt; the event stays in the log and can be replayed. */
  async stop(deliveryId: string): Promise<DeliveryStatus> {
    await this.ctx.database.prisma.webhookDelivery.updateMany({ where: { deliveryId, status: 'pending' }, data: { status: 'exhausted', nextAttemptAt: null } });
    const { status } = await this.ctx.database.prisma.webhookDelivery.findUniqueOrThrow({ where: { deliveryId } });
    return status as DeliveryStatus;
  }

  async describe(deliveryId: string): Promise<DeliveryDescription | null> {
    const row = await this.ctx.database.prisma.webhookDelivery.findUnique({ where: { deliveryId }, include: { event: true } });
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

  /** Starts workflows anew for later attempts that are overdue, as after the loss of all histories. @returns how many */
  async requeueOverdue(now: Date, olderThanMs: number): Promise<number> {
    return this.ctx.database.transaction(async (tx) => {
      const count = await tx.$executeRawUnsafe(loadSql('webhook-requeue-overdue'), after(now, -olderThanMs), now, OVERDUE_AT_ONCE);
      if (count > 0) await notify(tx, 'outbox');
      return count;
    });
  }

  /**
   * webhooks 8.2: 410 disables the address for this link and stops its other open deliveries to it. The link is locked
   * first, so that an event which is being written now is either stopped here or sees the mark.
   */
  private async disableAddress(tx: Tx, linkId: string, url: string): Promise<void> {
    await tx.$executeRaw`
      UPDATE links SET webhook_disabled_at = ${this.ctx.clock()}, revision = revision + 1
      WHERE link_id = ${linkId} AND webhook = ${url} AND webhook_disabled_at IS NULL`;
    await tx.$executeRaw`
      UPDATE webhook_deliveries d SET status = 'disabled', next_attempt_at = NULL
      FROM webhook_events e
      WHERE e.pk = d.event_pk AND e.link_id = ${linkId} AND d.url = ${url} AND d.status = 'pending'`;
  }
}

interface DueRow {
  pk: string;
  delivery_id: string;
  url: string;
  attempts: number;
  first_attempt_at: Date | null;
  shift_ms: string;
  event_id: string;
  link_id: string;
  webhook_event: WebhookEventName;
  idempotency_key: string;
  body: string;
}

interface RecordedRow {
  delivery_id: string;
  url: string;
  status: DeliveryStatus;
  attempts: number;
  outcome: RecordedOutcome['status'];
  link_id: string;
}

function toDueDelivery(row: DueRow): DueDelivery {
  return {
    pk: BigInt(row.pk),
    deliveryId: row.delivery_id,
    url: row.url,
    attempt: row.attempts + 1,
    firstAttemptAt: row.first_attempt_at,
    shiftMs: Number(row.shift_ms),
    eventId: row.event_id,
    linkId: row.link_id,
    webhookEvent: row.webhook_event,
    idempotencyKey: row.idempotency_key,
    body: row.body,
  };
}

function toOutcomeRow(outcome: RecordedOutcome): object {
  return {
    delivery_pk: outcome.deliveryPk.toString(),
    attempt: outcome.attempt,
    started_at: outcome.startedAt,
    duration_ms: outcome.durationMs,
    http_status: outcome.httpStatus,
    error: outcome.error,
    response_excerpt: outcome.responseExcerpt,
    status: outcome.status,
    next_attempt_at: outcome.nextAttemptAt,
    shift_ms: outcome.shiftMs,
  };
}

function after(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds);
}
