import type { Environment } from '../../domain/api/environment.js';
import type { TenantShares } from '../../domain/webhooks/tenant-shares.js';
import type { WebhookEventName } from '../../domain/webhooks/webhook-event-name.js';
import type { WebhookFormat } from '../../domain/webhooks/webhook-format.js';
import type { Context } from '../context.js';
import { loadSql } from '../database/load-sql.js';
import { notify } from '../database/notifications.js';
import { enqueueCommand } from '../outbox/outbox.js';
import {
  BOTH_HALVES,
  halfOf,
  inSlotClaim,
  notifyDeliveries,
  type EndpointHalf,
} from '../events/webhook-slots.js';

export type DeliveryStatus =
  'pending' | 'delivered' | 'exhausted' | 'disabled' | 'no_address' | 'replaced';

/** A delivery whose next attempt the caller has to make before its lease is over. */
export interface DueDelivery {
  pk: bigint;
  /** The delivery token, `whd_…`. */
  deliveryId: string;
  url: string;
  /** Scheme, host and port. */
  endpoint: string;
  /** Number of the attempt to make, from 1. */
  attempt: number;
  firstAttemptAt: Date | null;
  shiftMs: number;
  eventId: string;
  appId: string;
  linkId: string;
  webhookEvent: WebhookEventName;
  idempotencyKey: string;
  environment: Environment;
  format: WebhookFormat;
  /** The frozen body. */
  body: string;
  /** What is sent in its place: the same with its tokens. */
  sealedBody: Uint8Array | null;
}

export interface FirstAttemptClaim {
  due: (DueDelivery & {
    /** How many attempts at this endpoint the caller may make at a time, of all it has claimed. */
    slots: number;
  })[];
  /** Not all endpoints were visited: go on after this one. */
  lastEndpoint: string | null;
}

export interface FirstAttemptOptions extends SlotOptions {
  limit: number;
  /** Who claims: the same for all claims of one relay. */
  holder: bigint;
  /** Endpoints that answer quickly, and how many deliveries the caller may hold of each, those under way included. */
  quick?: readonly string[];
  ahead?: number;
  /** What the caller may hold of one app and environment, and what it holds (`TenantShares`); without it, no bound. */
  shares?: Pick<TenantShares, 'most' | 'held'>;
  /** Endpoints to be left alone now. */
  resting?: readonly string[];
  /** Where to begin, and how many endpoints to visit. */
  afterEndpoint?: string;
  visit?: number;
  /** Which of the endpoints. */
  halves?: readonly EndpointHalf[];
  /** Only these, and all of them: those that were told of. The four before this one do not count then. */
  endpoints?: readonly string[] | undefined;
}

export type AttemptClaim =
  | { kind: 'due'; delivery: DueDelivery }
  /** Too early, or someone else is making the attempt until then. */
  | { kind: 'notDue'; dueAt: Date }
  /** The endpoint has as many attempts under way as it may. */
  | { kind: 'noSlot' }
  | { kind: 'unknown' }
  | { kind: 'done'; status: Exclude<DeliveryStatus, 'pending'>; attempts: number };

export type RetryRequest =
  | { kind: 'unknown' }
  | { kind: 'refused'; status: DeliveryStatus }
  /** `isLater`: its workflow makes the attempt, not the relay of first attempts. */
  | { kind: 'due'; isLater: boolean };

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
const VISITED_AT_ONCE = 256;
/** Leases of deliveries that are no longer there. */
const FORGOTTEN_LEASE_MS = 3_600_000;

/** Deliveries of webhook events: who may make which attempt when. Source: webhooks 8. */
export class WebhookDeliveryRepository {
  constructor(private readonly ctx: Context) {}

  /** Due first attempts in the order of their events, never more of an endpoint than it has free slots, or than `ahead` of a quick one. */
  async claimFirstAttempts({
    limit,
    holder,
    perEndpoint,
    leaseMs,
    quick = [],
    ahead = perEndpoint,
    shares = { most: limit, held: {} },
    resting = [],
    afterEndpoint = '',
    visit = VISITED_AT_ONCE,
    halves = BOTH_HALVES,
    endpoints,
  }: FirstAttemptOptions): Promise<FirstAttemptClaim> {
    const now = this.ctx.clock();
    const ofAll = [
      now,
      after(now, leaseMs),
      perEndpoint,
      limit,
      holder,
      quick,
      ahead,
      shares.most,
      JSON.stringify(shares.held),
    ];
    const claim =
      endpoints === undefined
        ? {
            name: 'webhook-claim-first-attempts' as const,
            halves,
            values: [...ofAll, afterEndpoint, visit, resting, halves],
          }
        : {
            name: 'webhook-claim-told' as const,
            halves: [...new Set(endpoints.map(halfOf))],
            values: [...ofAll, endpoints],
          };
    const rows = await inSlotClaim<ClaimedRow>(
      this.ctx.database.hot,
      { halves: claim.halves },
      { name: claim.name, text: loadSql(claim.name), values: claim.values },
    );
    return {
      due: rows.flatMap((row) =>
        row.pk === null ? [] : [Object.assign(toDueDelivery(row), { slots: row.slots })],
      ),
      lastEndpoint: rows[0]?.last_endpoint ?? null,
    };
  }

  async claimAttempt(
    deliveryId: string,
    { perEndpoint, leaseMs }: SlotOptions,
  ): Promise<AttemptClaim> {
    const { prisma, hot } = this.ctx.database;
    const row = await prisma.webhookDelivery.findUnique({ where: { deliveryId } });
    if (row === null) return { kind: 'unknown' };
    const { pk, endpoint, nextAttemptAt, attempts } = row;
    if (row.status !== 'pending' || endpoint === null || nextAttemptAt === null) {
      return { kind: 'done', status: row.status as Exclude<DeliveryStatus, 'pending'>, attempts };
    }
    const now = this.ctx.clock();
    const lease = await prisma.webhookLease.findUnique({ where: { deliveryPk: pk } });
    const dueAt =
      lease !== null && lease.leasedUntil > nextAttemptAt ? lease.leasedUntil : nextAttemptAt;
    if (dueAt > now) return { kind: 'notDue', dueAt };
    const [claimed] = await inSlotClaim<DueRow>(
      hot,
      { endpoint },
      {
        name: 'webhook-claim-attempt',
        text: loadSql('webhook-claim-attempt'),
        values: [now, after(now, leaseMs), perEndpoint, pk, endpoint],
      },
    );
    return claimed === undefined
      ? { kind: 'noSlot' }
      : { kind: 'due', delivery: toDueDelivery(claimed) };
  }

  /** Gives attempts back that were not made to their end: they are due again at once, under the same number. */
  async release(pks: readonly bigint[]): Promise<void> {
    await this.ctx.database.hot.query(
      'DELETE FROM webhook_leases WHERE delivery_pk = ANY ($1::bigint[])',
      [pks],
    );
  }

  /** An operator cancelled the delivery: no further attempt, and its workflow ends; the event stays in the log and can be replayed. */
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

  /** An operator wants the next attempt now. One that was given up is opened again, unless its event was replayed since. */
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
      // The workflow that is to end would be the one that begins now.
      await tx.$executeRaw`DELETE FROM outbox_commands WHERE kind = 'endWebhookDelivery' AND payload ->> 'deliveryId' = ${deliveryId}`;
      await tx.webhookDelivery.update({
        where: { pk },
        data: { status: 'pending', nextAttemptAt: this.ctx.clock(), inWorkflow: isLater },
      });
      if (isLater) await enqueueCommand(tx, { kind: 'startWebhookDelivery', deliveryId });
      else notifyDeliveries(tx);
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

  /** Starts workflows anew for later attempts that are overdue, as after the loss of all histories. @returns how many */
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

interface DueRow {
  pk: string;
  delivery_id: string;
  url: string;
  endpoint: string;
  attempts: number;
  first_attempt_at: Date | null;
  shift_ms: string;
  event_id: string;
  app_id: string;
  link_id: string;
  webhook_event: WebhookEventName;
  idempotency_key: string;
  environment: Environment;
  format: WebhookFormat;
  body: string;
  sealed_body: Uint8Array | null;
}

/** With a place for more endpoints, and then perhaps without a delivery. */
type ClaimedRow = { slots: number; last_endpoint: string | null } & (DueRow | { pk: null });

function toDueDelivery(row: DueRow): DueDelivery {
  return {
    pk: BigInt(row.pk),
    deliveryId: row.delivery_id,
    url: row.url,
    endpoint: row.endpoint,
    attempt: row.attempts + 1,
    firstAttemptAt: row.first_attempt_at,
    shiftMs: Number(row.shift_ms),
    eventId: row.event_id,
    appId: row.app_id,
    linkId: row.link_id,
    webhookEvent: row.webhook_event,
    idempotencyKey: row.idempotency_key,
    environment: row.environment,
    format: row.format,
    body: row.body,
    sealedBody: row.sealed_body,
  };
}

function after(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds);
}
