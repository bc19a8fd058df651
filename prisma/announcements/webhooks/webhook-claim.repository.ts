import type pg from 'pg';
import { REPLAY_PACE } from '../../../domain/webhooks/event-status.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { inPoolTransaction } from '../../base/database/pool-transaction.js';
import { toDueDelivery, type DueDelivery, type DueRow } from './due-delivery.js';
import type { DeliveryStatus } from './webhook-delivery.repository.js';

export interface SlotOptions {
  /** Attempts at a time per scheme, host and port. */
  perEndpoint: number;
  /** An attempt that is not recorded within this time is repeated. */
  leaseMs: number;
}

export interface FirstAttemptOptions extends SlotOptions {
  limit: number;
  /**
   * Attempts in flight per app and environment, and those of the caller by `app/environment`;
   * unlimited if omitted.
   */
  shares?: { max: number; held: Record<string, number> };
  /** While more failed deliveries of an endpoint wait for their retry workflows, it gets no first attempts. */
  maxWaitingRetries?: number;
  /** The endpoint after which to start, and the number of endpoints to visit. */
  afterEndpoint?: string;
  visit?: number;
}

export interface FirstAttemptClaim {
  due: DueDelivery[];
  /** Not all endpoints were visited: the next claim starts after this one. */
  lastEndpoint: string | null;
}

export type AttemptClaim =
  | { kind: 'due'; delivery: DueDelivery }
  /** It is too early, or another process has claimed the attempt until then. */
  | { kind: 'notDue'; dueAt: Date }
  /** The endpoint has its maximum of attempts in flight. */
  | { kind: 'noSlot' }
  | { kind: 'unknown' }
  | { kind: 'done'; status: Exclude<DeliveryStatus, 'pending'>; attempts: number };

const CLAIM_LOCK = 0x7765_6201;
const VISITED_AT_ONCE = 1_000;

/** Assigns attempts to processes, and limits their number. Source: webhooks 8. */
export class WebhookClaimRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Claims due first attempts in the order of their events, never more for an endpoint than its
   * free slots.
   */
  async claimFirstAttempts({
    limit,
    perEndpoint,
    leaseMs,
    shares = { max: limit, held: {} },
    maxWaitingRetries = limit,
    afterEndpoint = '',
    visit = VISITED_AT_ONCE,
  }: FirstAttemptOptions): Promise<FirstAttemptClaim> {
    const now = this.ctx.clock();
    const rows = await this.claim<FirstAttemptRow>('webhook-claim-first-attempts', [
      now,
      after(now, leaseMs),
      perEndpoint,
      limit,
      afterEndpoint,
      visit,
      shares.max,
      JSON.stringify(shares.held),
      maxWaitingRetries,
      REPLAY_PACE.starts,
      after(now, -REPLAY_PACE.windowMs),
    ]);
    return {
      due: rows.flatMap(({ lastEndpoint: _, ...row }) =>
        row.pk === null ? [] : [toDueDelivery(row)],
      ),
      lastEndpoint: rows[0]?.lastEndpoint ?? null,
    };
  }

  /** Claims the next attempt of one delivery, first or later. */
  async claimAttempt(
    deliveryId: string,
    { perEndpoint, leaseMs }: SlotOptions,
  ): Promise<AttemptClaim> {
    const { prisma } = this.ctx.database;
    const row = await prisma.webhookDelivery.findUnique({ where: { deliveryId } });
    if (row === null) return { kind: 'unknown' };
    const { pk, endpoint, nextAttemptAt, attempts } = row;
    if (row.status !== 'pending' || endpoint === null || nextAttemptAt === null)
      return { kind: 'done', status: row.status as Exclude<DeliveryStatus, 'pending'>, attempts };
    const now = this.ctx.clock();
    const lease = await prisma.webhookLease.findUnique({ where: { deliveryPk: pk } });
    const dueAt =
      lease !== null && lease.leasedUntil > nextAttemptAt ? lease.leasedUntil : nextAttemptAt;
    if (dueAt > now) return { kind: 'notDue', dueAt };
    const inFlight = await prisma.webhookLease.count({
      where: { endpoint, leasedUntil: { gt: now } },
    });
    // Hundreds of retries may wait: they do not take the lock needlessly.
    if (inFlight >= perEndpoint) return { kind: 'noSlot' };
    const [claimed] = await this.claim<DueRow>('webhook-claim-attempt', [
      now,
      after(now, leaseMs),
      perEndpoint,
      pk,
      endpoint,
    ]);
    return claimed === undefined
      ? { kind: 'noSlot' }
      : { kind: 'due', delivery: toDueDelivery(claimed) };
  }

  /** Releases interrupted attempts: they are due again immediately, under the same number. */
  async release(pks: readonly bigint[]): Promise<void> {
    await this.ctx.database.hot.query(
      'DELETE FROM webhook_leases WHERE delivery_pk = ANY ($1::bigint[])',
      [pks],
    );
  }

  /** Claims take turns, so that each counts the leases of the previous one. */
  private async claim<Row extends pg.QueryResultRow>(
    name: 'webhook-claim-first-attempts' | 'webhook-claim-attempt',
    values: unknown[],
  ): Promise<Row[]> {
    return inPoolTransaction(
      this.ctx.database.hot,
      async (client) => (await client.query<Row>({ name, text: loadSql(name), values })).rows,
      `BEGIN; SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`,
    );
  }
}

/** The row with `lastEndpoint` may have no delivery. */
type FirstAttemptRow = { lastEndpoint: string | null } & (DueRow | { pk: null });

function after(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds);
}
