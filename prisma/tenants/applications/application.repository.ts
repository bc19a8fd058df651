import type { Environment, Tenant } from '../../../domain/api/environment.js';
import type { Scope } from '../../../domain/api/scopes.js';
import { makeId } from '../../../domain/api/ids.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Application, Prisma } from '../../generated/client.js';
import { changeClient } from './change-client.js';
import { limitsOfPair, type PairColumns } from './pair-limits.js';
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

/** Undefined fields stay unchanged. */
export interface ApplicationChanges {
  name?: string | undefined;
  logoUrl?: string | null | undefined;
  country?: string | undefined;
  redirectOrigins?: string[] | undefined;
  pageOrigins?: string[] | undefined;
  features?: string[] | undefined;
  liveListening?: boolean | undefined;
  liveLimit?: number | undefined;
}

export interface ClientRecord extends Tenant {
  clientId: string;
  scopes: readonly Scope[];
  /** False: it is disabled, or has reached its end. */
  isActive: boolean;
  /** Source: plaid-compat 3.2. */
  ignoresUnofferedProducts: boolean;
  /** The working secrets. */
  secrets: readonly StoredSecret[];
}

export interface StoredSecret {
  secretId: string;
  secretHash: string;
  /** To the minute. */
  lastUsedAt: Date | null;
}

/** A row of find-client.sql. */
interface ClientRow extends PairColumns {
  client_id: string;
  app_id: string;
  environment: Environment;
  ignores_unoffered_products: boolean;
  is_active: boolean;
  secrets: { secretId: string; secretHash: string; lastUsedAt: string | null }[];
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
          create: app.clients.map((client) => this.newClient(client)),
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
    const {
      rows: [row],
    } = await this.ctx.database.pool.query<ClientRow>({
      name: 'find-client',
      text: loadSql('find-client'),
      values: [clientId, this.ctx.clock()],
    });
    return row === undefined ? null : toClient(row);
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
  ): Promise<{ clientId: string; disabledAt: Date | null; endsAt: Date | null } | null> {
    return changeClient(this.ctx, clientId, async (tx) => {
      const disabledAt = disabled ? this.ctx.clock() : null;
      const [changed] = await tx.apiClient.updateManyAndReturn({
        where: { clientId },
        data: { disabledAt },
        select: { clientId: true, disabledAt: true, endsAt: true },
      });
      return changed ?? null;
    });
  }

  private newClient({ secretHash, ...client }: NewClient) {
    const createdAt = this.ctx.clock();
    const secretId = makeId('clientSecret', this.ctx.random);
    return { ...client, createdAt, secrets: { create: { secretId, secretHash, createdAt } } };
  }
}

function toClient(row: ClientRow): ClientRecord {
  return {
    clientId: row.client_id,
    appId: row.app_id,
    environment: row.environment,
    ...limitsOfPair(row),
    isActive: row.is_active,
    ignoresUnofferedProducts: row.ignores_unoffered_products,
    secrets: row.secrets.map(({ lastUsedAt, ...secret }) => ({
      ...secret,
      lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
    })),
  };
}
