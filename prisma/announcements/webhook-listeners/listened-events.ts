import type { Environment, Tenant } from '../../../domain/api/environment.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../base/context.js';
import { openEventBody } from '../events/event-body.js';
import type { WebhookEvent } from '../../generated/client.js';
import { SettledEvents } from '../webhook-log/settled-events.js';
import { readEventPage } from '../webhook-log/read-event-page.js';
import { listenedToken } from './listened-token.js';
import type { ListenerRecord } from './webhook-listener.repository.js';

/** An event to be sent to a listener. */
export interface ListenedEvent {
  /** The token of its delivery to this listener, `whd_…`. */
  deliveryId: string;
  /** Number of the attempt to make, from 1. */
  attempt: number;
  eventId: string;
  appId: string;
  environment: Environment;
  linkId: string;
  webhookEvent: string;
  idempotencyKey: string;
  format: WebhookFormat;
  /** The text whose UTF-8 form is sent. */
  body: string;
  createdAt: Date;
  /** Its key in the log: the next page starts behind it. */
  position: bigint;
}

export interface ListenedPage {
  events: ListenedEvent[];
  /** The start of the next page. */
  position: bigint;
  hasMore: boolean;
}

/** Reads the event log for listeners. Nothing is stored: the caller keeps its position. Source: webhooks 13. */
export class ListenedEvents {
  private readonly settled: SettledEvents;

  constructor(private readonly ctx: Context) {
    this.settled = new SettledEvents(ctx.database);
  }

  /**
   * The events of a listener behind a position that its key pair may read, up to those that may
   * still appear.
   * @throws EventLogBusy
   */
  async read(
    tenant: Tenant,
    listener: ListenerRecord,
    { after, limit }: { after: bigint; limit: number },
  ): Promise<ListenedPage> {
    const { prisma } = this.ctx.database;
    const upTo = await this.settled.upTo(tenant);
    const page = { order: 'asc', after, upTo, limit } as const;
    const { keys, next } = await readEventPage(this.ctx.database, tenant, filterOf(listener), page);
    const events = await prisma.webhookEvent.findMany({
      where: { pk: { in: keys } },
      orderBy: { pk: 'asc' },
    });
    return {
      events: await this.deliveriesOf(listener, events),
      // Everything up to there was considered: events that do not match are not read again.
      position: next ?? larger(after, upTo),
      hasMore: next !== null,
    };
  }

  private async deliveriesOf(
    { listenerId }: ListenerRecord,
    events: readonly WebhookEvent[],
  ): Promise<ListenedEvent[]> {
    if (events.length === 0) return [];
    const tokens = events.map(({ eventId }) => listenedToken(listenerId, eventId));
    const reported = await this.ctx.database.prisma.webhookDelivery.findMany({
      where: { deliveryId: { in: tokens } },
      select: { deliveryId: true, attempts: true },
    });
    const attempts = new Map(reported.map((row) => [row.deliveryId, row.attempts]));
    return Promise.all(
      events.map(async (event, at): Promise<ListenedEvent> => {
        const { pk, eventId, appId, linkId, webhookEvent, idempotencyKey, createdAt } = event;
        const deliveryId = tokens[at] ?? '';
        return {
          deliveryId,
          attempt: 1 + (attempts.get(deliveryId) ?? 0),
          eventId,
          appId,
          environment: event.environment as Environment,
          linkId,
          webhookEvent,
          idempotencyKey,
          format: event.format as WebhookFormat,
          body: await this.bodyOf(event),
          createdAt,
          position: pk,
        };
      }),
    );
  }

  private async bodyOf({ eventId, body, sealedBody }: WebhookEvent): Promise<string> {
    return sealedBody === null
      ? body
      : ((await openEventBody(this.ctx, eventId, sealedBody)) ?? body);
  }
}

function filterOf({ webhookEvents, linkId, since }: ListenerRecord) {
  return {
    linkId: linkId ?? undefined,
    webhookEvents: webhookEvents.length === 0 ? undefined : webhookEvents,
    // `since` is inclusive, and times have milliseconds.
    createdAfter: since === null ? undefined : new Date(since.getTime() - 1),
  };
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
