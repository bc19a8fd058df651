import { SANDBOX_PROVIDER } from '../../../domain/link/provider-name.js';
import type { Context } from '../../base/context.js';

export type LimitOutcome =
  | { kind: 'limited' }
  | { kind: 'unknown_app' }
  | { kind: 'unknown'; names: string[] };

/** The configurations that an app may use. */
export class AppProviderRepository {
  constructor(private readonly ctx: Context) {}

  /** In the app's own order; null = all of them, without an order of its own. */
  async allowed(appId: string): Promise<string[] | null> {
    const rows = await this.ctx.database.prisma.appProvider.findMany({
      where: { appId },
      orderBy: { position: 'asc' },
    });
    return rows.length === 0 ? null : rows.map(({ provider }) => provider);
  }

  /** Limits an app to configurations, the first preferred; null removes the limit. */
  async limit(appId: string, names: readonly string[] | null): Promise<LimitOutcome> {
    return this.ctx.database.transaction(async (tx): Promise<LimitOutcome> => {
      if ((await tx.application.count({ where: { appId } })) === 0) return { kind: 'unknown_app' };
      const wanted = [...new Set(names ?? [])];
      const known = await tx.providerConfiguration.findMany({
        where: { name: { in: wanted } },
        select: { name: true },
      });
      const unknown = wanted.filter(
        (name) => name !== SANDBOX_PROVIDER && !known.some((found) => found.name === name),
      );
      if (unknown.length > 0) return { kind: 'unknown', names: unknown };
      await tx.appProvider.deleteMany({ where: { appId } });
      await tx.appProvider.createMany({
        data: wanted.map((provider, position) => ({ appId, provider, position })),
      });
      return { kind: 'limited' };
    });
  }
}
