import type { Context } from '../../base/context.js';

/** Routes whose logins return permissions without a means to renew them. */
export class RouteRenewalRepository {
  constructor(private readonly ctx: Context) {}

  /** Records the result of the last login through a route. */
  async note({
    provider,
    remoteId,
    isRenewable,
  }: {
    provider: string;
    remoteId: string;
    isRenewable: boolean;
  }): Promise<void> {
    await this.ctx.database.prisma.institutionRoute.updateMany({
      where: { provider, remoteId, unrenewableSince: isRenewable ? { not: null } : null },
      data: { unrenewableSince: isRenewable ? null : this.ctx.clock() },
    });
  }

  /** The institutions of a provider whose last login could not be renewed. */
  async unrenewable(provider: string): Promise<{ name: string; since: Date }[]> {
    const routes = await this.ctx.database.prisma.institutionRoute.findMany({
      where: { provider, unrenewableSince: { not: null } },
      select: { unrenewableSince: true, institution: { select: { name: true } } },
      orderBy: { remoteId: 'asc' },
    });
    return routes.flatMap(({ unrenewableSince: since, institution: { name } }) =>
      since === null ? [] : [{ name, since }],
    );
  }
}
