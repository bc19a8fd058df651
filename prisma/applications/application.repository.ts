import type { Environment } from '../../domain/api/environment.js';
import type { Context } from '../context.js';
import { currentMarks, untilRenewed } from '../database/confirmed-notifications.js';
import type { Channel } from '../database/notifications.js';
import type { Application, Prisma } from '../generated/client.js';
import { hasTrialPlace } from './trial-places.js';

export interface NewClient {
  clientId: string;
  environment: Environment;
  /** Created by client-secret.ts; the secret itself is shown once and never stored. */
  secretHash: string;
  liveLimit: number;
}

export interface NewApplication {
  appId: string;
  name: string;
  clients: readonly NewClient[];
  redirectOrigins: readonly string[];
  pageOrigins: readonly string[];
}

/** Notified when a client is disabled or enabled. */
export const CLIENT_CHANGED: Channel = 'client_changed';
/** The time for which a process that cannot be notified may keep using a cached token. */
export const TOKEN_CACHE_MS = 2_000;

/** Undefined fields stay unchanged. */
export interface ApplicationChanges {
  name?: string | undefined;
  logoUrl?: string | null | undefined;
  country?: string | undefined;
  redirectOrigins?: string[] | undefined;
  pageOrigins?: string[] | undefined;
  features?: string[] | undefined;
  liveLimit?: number | undefined;
}

export interface ClientRecord {
  clientId: string;
  appId: string;
  environment: Environment;
  secretHash: string;
  disabledAt: Date | null;
  /** Source: plaid-compat 3.2. */
  ignoresUnofferedProducts: boolean;
}

const LIVE_CLIENTS = {
  clients: { where: { environment: 'live' }, select: { liveLimit: true } },
} satisfies Prisma.ApplicationInclude;
export type UpdatedApplication = Prisma.ApplicationGetPayload<{ include: typeof LIVE_CLIENTS }>;

/** Applications (the integrating companies) and their key pairs. */
export class ApplicationRepository {
  constructor(private readonly ctx: Context) {}

  /** @throws a unique violation when the app id is in use */
  async createApplication(app: NewApplication): Promise<void> {
    await this.ctx.database.prisma.application.create({
      data: {
        appId: app.appId,
        name: app.name,
        redirectOrigins: [...app.redirectOrigins],
        pageOrigins: [...app.pageOrigins],
        features: [],
        createdAt: this.ctx.clock(),
        clients: {
          create: app.clients.map((client) => ({ ...client, createdAt: this.ctx.clock() })),
        },
      },
    });
  }

  async list(): Promise<{ appId: string; name: string; createdAt: Date }[]> {
    return this.ctx.database.prisma.application.findMany({
      select: { appId: true, name: true, createdAt: true },
      orderBy: { createdAt: 'asc' },
    });
  }

  async getApplication(appId: string): Promise<Application | null> {
    return this.ctx.database.prisma.application.findUnique({ where: { appId } });
  }

  async findClient(clientId: string): Promise<ClientRecord | null> {
    const row = await this.ctx.database.prisma.apiClient.findUnique({ where: { clientId } });
    return row === null ? null : { ...row, environment: row.environment as Environment };
  }

  /**
   * Applies the given changes and returns the updated app; null if unknown. `liveLimit` is the
   * limit of its Live clients.
   */
  async updateApplication(
    appId: string,
    { liveLimit, ...changes }: ApplicationChanges,
  ): Promise<UpdatedApplication | null> {
    return this.ctx.database.transaction(async (tx) => {
      const { count } = await tx.application.updateMany({ where: { appId }, data: changes });
      if (count > 0 && liveLimit !== undefined)
        await tx.apiClient.updateMany({
          where: { appId, environment: 'live' },
          data: { liveLimit },
        });
      return tx.application.findUnique({ where: { appId }, include: LIVE_CLIENTS });
    });
  }

  /**
   * Sets the number of Live links that the client may have; null if the client is unknown. Lowering
   * the limit keeps existing links.
   */
  async setLiveLimit(
    clientId: string,
    liveLimit: number,
  ): Promise<{ clientId: string; liveLimit: number } | null> {
    const { count } = await this.ctx.database.prisma.apiClient.updateMany({
      where: { clientId },
      data: { liveLimit },
    });
    return count === 0 ? null : { clientId, liveLimit };
  }

  /**
   * Replaces the secret. The previous secret stops working; tokens issued with it stay valid. False
   * if the client is unknown.
   */
  async setSecretHash(clientId: string, secretHash: string): Promise<boolean> {
    const { count } = await this.ctx.database.prisma.apiClient.updateMany({
      where: { clientId },
      data: { secretHash },
    });
    return count > 0;
  }

  /** Applies to Sandbox clients only; null if the client is unknown. Source: plaid-compat 3.2. */
  async setIgnoresUnoffered(
    clientId: string,
    ignoresUnofferedProducts: boolean,
  ): Promise<Pick<ClientRecord, 'environment' | 'ignoresUnofferedProducts'> | null> {
    await this.ctx.database.prisma.apiClient.updateMany({
      where: { clientId, environment: 'sandbox' },
      data: { ignoresUnofferedProducts },
    });
    return this.findClient(clientId);
  }

  /**
   * Whether the client may create another Live link; only the link itself reserves a place. Source:
   * link-lifecycle 12.
   */
  async hasTrialPlace(client: { clientId: string; environment: Environment }): Promise<boolean> {
    return hasTrialPlace(this.ctx.database.prisma, client);
  }

  /**
   * Disables or restores all tokens of the client. When it returns, every process applies the
   * change. Null if the client is unknown.
   */
  async setDisabled(
    clientId: string,
    disabled: boolean,
  ): Promise<{ clientId: string; disabledAt: Date | null } | null> {
    let marks: number[] = [];
    const changed = await this.ctx.database.transaction(async (tx) => {
      marks = await currentMarks(tx);
      const disabledAt = disabled ? this.ctx.clock() : null;
      const { count } = await tx.apiClient.updateMany({
        where: { clientId },
        data: { disabledAt },
      });
      // Sent inside the transaction, unlike other notifications (docs/decisions/0015), because it
      // must not be lost.
      if (count > 0)
        await tx.$executeRaw`SELECT pg_notify(${CLIENT_CHANGED} || '_' || suffix, ${clientId}) FROM notification_channels`;
      return count === 0 ? null : { clientId, disabledAt };
    });
    if (changed !== null) await untilRenewed(this.ctx.database.pool, marks, TOKEN_CACHE_MS);
    return changed;
  }
}
