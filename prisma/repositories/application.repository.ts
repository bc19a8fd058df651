import type { Environment } from '../../domain/environment.js';
import type { Context } from '../context.js';
import type { Application } from '../generated/client.js';

export interface NewClient {
  clientId: string;
  environment: Environment;
  /** From prisma/secrets/client-secret.ts; the secret itself is shown once and stored nowhere. */
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

export interface ClientRecord {
  clientId: string;
  appId: string;
  environment: Environment;
  secretHash: string;
  disabledAt: Date | null;
}

/** The integrating companies and their key pairs. */
export class ApplicationRepository {
  constructor(private readonly ctx: Context) {}

  /** Throws a unique violation when the app id is taken. */
  async createApplication(app: NewApplication): Promise<void> {
    await this.ctx.database.prisma.application.create({
      data: {
        appId: app.appId,
        name: app.name,
        redirectOrigins: [...app.redirectOrigins],
        pageOrigins: [...app.pageOrigins],
        features: [],
        createdAt: this.ctx.clock(),
        clients: { create: app.clients.map((client) => ({ ...client, createdAt: this.ctx.clock() })) },
      },
    });
  }

  async list(): Promise<{ appId: string; name: string; createdAt: Date }[]> {
    return this.ctx.database.prisma.application.findMany({ select: { appId: true, name: true, createdAt: true }, orderBy: { createdAt: 'asc' } });
  }

  async getApplication(appId: string): Promise<Application | null> {
    return this.ctx.database.prisma.application.findUnique({ where: { appId } });
  }

  async findClient(clientId: string): Promise<ClientRecord | null> {
    const row = await this.ctx.database.prisma.apiClient.findUnique({ where: { clientId } });
    return row === null ? null : { ...row, environment: row.environment as Environment };
  }

  /** Ends or restores all tokens of the client at once; answers null for an unknown client. */
  async setDisabled(clientId: string, disabled: boolean): Promise<{ clientId: string; disabledAt: Date | null } | null> {
    const { count } = await this.ctx.database.prisma.apiClient.updateMany({ where: { clientId }, data: { disabledAt: disabled ? this.ctx.clock() : null } });
    if (count === 0) return null;
    return this.ctx.database.prisma.apiClient.findUnique({ where: { clientId }, select: { clientId: true, disabledAt: true } });
  }
}
