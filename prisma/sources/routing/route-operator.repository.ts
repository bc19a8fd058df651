import { chooseRoute, type JudgedRoute } from '../../../domain/institutions/route-choice.js';
import type { Environment } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import { routeCandidates } from './route-candidates.js';

/** An operator's view of a stored decision. */
export interface ShownDecision {
  sessionId: string;
  institutionId: string;
  why: string;
  chosen: string | null;
  routes: JudgedRoute[];
  /** The reason that the login failed; null = it did not. */
  failedCause: string | null;
  decidedAt: Date;
}

/** The operators' view of routes, and their decisions. */
export class RouteOperatorRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * The current choice for a new login without any preference, and the recent health of each route.
   * Null = there is no such institution.
   */
  async explain(institutionId: string): Promise<ExplainedRoute[] | null> {
    const { prisma } = this.ctx.database;
    const institution = await prisma.institution.findUnique({ where: { institutionId } });
    if (institution === null) return null;
    const [candidates, calls] = await Promise.all([
      routeCandidates(this.ctx, prisma, institutionId),
      prisma.routeHealth.findMany({ where: { institutionId } }),
    ]);
    const { routes } = chooseRoute(candidates, {
      environment: institution.environment as Environment,
      requiredProducts: [],
      sessionProviders: [],
      appProviders: [],
      mayRedirect: true,
      mustRedirect: false,
      serves: null,
      moveTo: null,
      failed: null,
      failedBefore: [],
    });
    return routes.flatMap((judged) => {
      const route = candidates.find(({ provider }) => provider === judged.provider);
      if (route === undefined) return [];
      const seen = calls.filter(({ provider }) => provider === judged.provider);
      return {
        ...judged,
        login: route.login,
        products: [...route.products],
        health: route.health,
        preferred: route.preferred,
        lastOkAt: latest(seen.map(({ lastOkAt }) => lastOkAt)),
        lastCause: seen.find(({ lastCause }) => lastCause !== null)?.lastCause ?? null,
      };
    });
  }

  /**
   * Sets or clears the preference for a route among those of its institution. False = there is no
   * such route.
   */
  async prefer(institutionId: string, provider: string, preferred: boolean): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const { count } = await tx.institutionRoute.updateMany({
        where: { institutionId, provider },
        data: { preferred },
      });
      if (count > 0 && preferred)
        await tx.institutionRoute.updateMany({
          where: { institutionId, provider: { not: provider } },
          data: { preferred: false },
        });
      return count > 0;
    });
  }

  /** Every decision on the routes of a link, newest first. Null = there is no such link. */
  async decisionsOf(linkId: string): Promise<ShownDecision[] | null> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({ where: { linkId }, select: { pk: true } });
    if (link === null) return null;
    const rows = await prisma.routeDecision.findMany({
      where: { linkId },
      orderBy: { pk: 'desc' },
    });
    return rows.map(
      ({ sessionId, institutionId, why, chosen, candidates, failedCause, createdAt }) => ({
        sessionId,
        institutionId,
        why,
        chosen,
        // Only recordDecision writes this column.
        routes: candidates as unknown as JudgedRoute[],
        failedCause,
        decidedAt: createdAt,
      }),
    );
  }

  /**
   * Sets the provider for the next relink of a link. Nothing else changes: a running link is never
   * moved without its user.
   */
  async move(linkId: string, provider: string): Promise<'moved' | 'no_link' | 'no_route'> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({ where: { linkId } });
    if (link === null || link.state === 'deleted') return 'no_link';
    const { institutionId } = link;
    const route = await prisma.institutionRoute.findUnique({
      where: { institutionId_provider: { institutionId, provider } },
    });
    if (route === null) return 'no_route';
    await prisma.link.update({
      where: { linkId },
      data: { moveTo: provider === link.provider ? null : provider },
    });
    return 'moved';
  }
}

/** A route in the output of `routes explain`. */
export interface ExplainedRoute extends JudgedRoute {
  login: string;
  products: string[];
  health: string;
  preferred: boolean;
  lastOkAt: Date | null;
  lastCause: string | null;
}

function latest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime());
  return known.length === 0 ? null : new Date(Math.max(...known));
}
