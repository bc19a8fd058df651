import { makeId } from '../../../domain/api/ids.js';
import type { Tenant } from '../../../domain/api/environment.js';
import {
  LISTENER_LIFE_MS,
  MAX_LISTENERS_OF_APP,
  maxListenersOf,
} from '../../../domain/webhooks/listener-limits.js';
import type { Context } from '../../base/context.js';
import type { WebhookListener } from '../../generated/client.js';
import { lockOfApp } from '../../tenants/usage/app-lock.js';
import { lastEventKey } from '../webhook-log/settled-events.js';

export type ListenerRecord = WebhookListener;

/** A key pair, with the rows that it may reach. */
export interface ListeningClient extends Tenant {
  clientId: string;
}

/** Selects the events of a listener. Source: webhooks 13. */
export interface ListenerFilter {
  /** Empty = all. */
  webhookEvents: readonly string[];
  linkId: string | null;
  /** Null = from now on. */
  since: Date | null;
}

/** More than the clocks of two processes that write events differ. */
const CLOCKS_DIFFER_MS = 60_000;

/** Programs that listen to the events of an app. Source: webhooks 13. */
export class WebhookListenerRepository {
  constructor(private readonly ctx: Context) {}

  /** Removes listeners of the app that ended. @returns null when the app, or the key pair of its share, has too many */
  async create(
    client: ListeningClient,
    { webhookEvents, linkId, since }: ListenerFilter,
  ): Promise<ListenerRecord | null> {
    const { ctx } = this;
    const { appId, environment, clientId } = client;
    const startsAfter = await this.startOf({ appId, environment }, since);
    return ctx.database.transaction(async (tx) => {
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(${lockOfApp({ appId, environment })}) IS NULL AS locked`;
      const now = ctx.clock();
      await tx.webhookListener.deleteMany({
        where: { appId, environment, lastCalledAt: { lte: endOfLife(now) } },
      });
      const alive = await tx.webhookListener.count({ where: { appId, environment } });
      if (alive >= MAX_LISTENERS_OF_APP) return null;
      const own = await tx.webhookListener.count({ where: { appId, environment, clientId } });
      if (own >= maxListenersOf(client)) return null;
      return tx.webhookListener.create({
        data: {
          listenerId: makeId('listener', ctx.random),
          appId,
          environment,
          clientId,
          webhookEvents: [...webhookEvents],
          linkId,
          since,
          startsAfter,
          lastCalledAt: now,
          createdAt: now,
        },
      });
    });
  }

  /** A call of a listener, from which its life is counted. @returns null when it is unknown or has ended */
  async call(
    { appId, environment, clientId }: ListeningClient,
    listenerId: string,
  ): Promise<ListenerRecord | null> {
    const now = this.ctx.clock();
    const [listener] = await this.ctx.database.prisma.webhookListener.updateManyAndReturn({
      where: { listenerId, appId, environment, clientId, lastCalledAt: { gt: endOfLife(now) } },
      data: { lastCalledAt: now },
    });
    return listener ?? null;
  }

  /** True if Live key pairs of the app may listen. */
  async isAllowedInLive(appId: string): Promise<boolean> {
    const app = await this.ctx.database.prisma.application.findUnique({
      where: { appId },
      select: { liveListening: true },
    });
    return app?.liveListening === true;
  }

  /** Removes listeners that ended. @returns their number */
  async removeEnded(now: Date): Promise<number> {
    const { count } = await this.ctx.database.prisma.webhookListener.deleteMany({
      where: { lastCalledAt: { lte: endOfLife(now) } },
    });
    return count;
  }

  /**
   * The key behind which all events of the listener are. Keys have the order of creation up to the
   * difference of clocks; `since` itself is a filter of every read.
   */
  private async startOf({ appId, environment }: Tenant, since: Date | null): Promise<bigint> {
    const { pool, prisma } = this.ctx.database;
    if (since === null) return lastEventKey(pool);
    const earlier = await prisma.webhookEvent.findFirst({
      where: {
        appId,
        environment,
        createdAt: { lt: new Date(since.getTime() - CLOCKS_DIFFER_MS) },
      },
      orderBy: [{ createdAt: 'desc' }, { pk: 'desc' }],
      select: { pk: true },
    });
    return earlier?.pk ?? 0n;
  }
}

/** A listener whose last call was then has ended. */
function endOfLife(now: Date): Date {
  return new Date(now.getTime() - LISTENER_LIFE_MS);
}
