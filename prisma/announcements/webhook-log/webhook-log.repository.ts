import type { Tenant } from '../../../domain/api/environment.js';
import type {
  WebhookDeliveryFacts,
  WebhookEventFacts,
} from '../../../domain/webhooks/present-webhook-event.js';
import type { EventStatus } from '../../../domain/webhooks/event-status.js';
import {
  MAX_SHOWN_ATTEMPTS,
  MAX_SHOWN_DELIVERIES,
} from '../../../domain/webhooks/shown-deliveries.js';
import type { Context } from '../../base/context.js';
import type { Prisma } from '../../generated/client.js';
import { SettledEvents } from './settled-events.js';
import { attemptsIn } from '../webhooks/attempt-history.js';
import { readEventPage } from './read-event-page.js';
import { eventStatement, type EventFilter } from './webhook-log-query.js';

export interface EventListRequest {
  filter: EventFilter;
  order: 'asc' | 'desc';
  /** Key of the last event the reader received; null = none. */
  after: bigint | null;
  limit: number;
}

export interface EventList {
  events: WebhookEventFacts[];
  /** The start of the next page. */
  position: bigint;
  hasMore: boolean;
}

const NEWEST_DELIVERY = {
  deliveries: { where: { newest: true }, omit: { history: true } },
} satisfies Prisma.WebhookEventInclude;
/** The delivery that gives the status, and the newest of the others, with their last attempts. */
const SHOWN_DELIVERIES = `
  SELECT delivery_id, url, reason, status, created_at, jsonb_path_query_array(history, '$[last - ${MAX_SHOWN_ATTEMPTS - 1} to last]') AS history
    FROM ((SELECT * FROM webhook_deliveries WHERE event_pk = $1::bigint AND newest)
          UNION ALL
          (SELECT * FROM webhook_deliveries WHERE event_pk = $1::bigint AND NOT newest ORDER BY pk DESC LIMIT ${MAX_SHOWN_DELIVERIES - 1})) AS shown
   ORDER BY pk`;
const FIRST = 0n;
const BEYOND_ALL = 2n ** 63n - 1n;

/** The event log of an app, as a caller may read it. Source: webhooks 9. */
export class WebhookLogRepository {
  private readonly settled: SettledEvents;

  constructor(
    private readonly ctx: Context,
    { patienceMs }: { patienceMs?: number } = {},
  ) {
    this.settled = new SettledEvents(ctx.database, patienceMs);
  }

  /**
   * One page. In ascending order it ends before events that may still appear, so that a reader who
   * tails the log misses none. @throws EventLogBusy
   */
  async list(
    tenant: Tenant,
    { filter, order, after, limit }: EventListRequest,
  ): Promise<EventList> {
    const { prisma } = this.ctx.database;
    const from = after ?? (order === 'asc' ? FIRST : BEYOND_ALL);
    const upTo = order === 'asc' ? await this.settled.upTo(tenant) : BEYOND_ALL;
    const page = { order, after: from, upTo, limit };
    const { keys, next } = await readEventPage(this.ctx.database, tenant, filter, page);
    const events = await prisma.webhookEvent.findMany({
      where: { pk: { in: keys } },
      include: NEWEST_DELIVERY,
      orderBy: { pk: order },
    });
    return {
      events: events.map(toFacts).filter((event) => event !== null),
      position: next ?? keys.at(-1) ?? from,
      hasMore: next !== null,
    };
  }

  async get(
    tenant: Tenant,
    eventId: string,
  ): Promise<{ event: WebhookEventFacts; deliveries: WebhookDeliveryFacts[] } | null> {
    const { pool, prisma } = this.ctx.database;
    const {
      rows: [found],
    } = await pool.query<{ pk: string }>(eventStatement(tenant, eventId));
    if (found === undefined) return null;
    const row = await prisma.webhookEvent.findUnique({
      where: { pk: BigInt(found.pk) },
      include: NEWEST_DELIVERY,
    });
    const event = row === null ? null : toFacts(row);
    if (event === null) return null;
    const { rows } = await pool.query<ShownDelivery>({
      name: 'shown-deliveries',
      text: SHOWN_DELIVERIES,
      values: [found.pk],
    });
    const deliveries = rows.map(({ delivery_id, url, reason, status, created_at, history }) => ({
      deliveryId: delivery_id,
      url,
      reason,
      status,
      createdAt: created_at,
      attempts: attemptsIn(history),
    }));
    return { event, deliveries };
  }
}

interface ShownDelivery extends Pick<WebhookDeliveryFacts, 'url' | 'reason' | 'status'> {
  delivery_id: string;
  created_at: Date;
  history: Prisma.JsonValue;
}

type EventRow = Prisma.WebhookEventGetPayload<{ include: typeof NEWEST_DELIVERY }>;

/** Null when its retention ended while it was read. */
function toFacts({
  eventId,
  linkId,
  webhookEvent,
  idempotencyKey,
  createdAt,
  origin,
  body,
  bodySha256,
  deliveries: [newest],
}: EventRow): WebhookEventFacts | null {
  if (newest === undefined) return null;
  const { status, attempts, lastAttemptAt, nextAttemptAt } = newest;
  return {
    eventId,
    linkId,
    webhookEvent,
    idempotencyKey,
    createdAt,
    body,
    bodySha256,
    attempts,
    lastAttemptAt,
    nextAttemptAt,
    origin: origin as WebhookEventFacts['origin'],
    // The newest one is never `replaced`.
    status: status as EventStatus,
  };
}
