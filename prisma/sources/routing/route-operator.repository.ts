import { chooseRoute, type JudgedRoute } from '../../../domain/institutions/route-choice.js';
import type { Environment } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import type { Statement } from '../../base/database/statement.js';
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

  /**
   * The decisions on the routes of a link, newest first. Null = there is no such link.
   * @param max the newest ones; null = all
   */
  async decisionsOf(linkId: string, max: number | null = null): Promise<ShownDecision[] | null> {
    const { prisma, pool } = this.ctx.database;
    const link = await prisma.link.findUnique({ where: { linkId }, select: { pk: true } });
    if (link === null) return null;
    return (await pool.query<ShownDecision>(decisionsStatement(linkId, max))).rows;
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

/** One range of an index, in its order (decision 0055). Only recordDecision writes the candidates. */
export function decisionsStatement(linkId: string, max: number | null): Statement {
  return {
    text: `
      SELECT d.session_id AS "sessionId", d.institution_id AS "institutionId", d.why, d.chosen, d.candidates AS routes,
             d.failed_cause AS "failedCause", d.created_at AS "decidedAt"
        FROM route_decisions d
       WHERE (d.link_id, d.pk) <= ($1, $2::bigint) AND d.link_id >= $1
       ORDER BY d.link_id DESC, d.pk DESC LIMIT $3::int`,
    values: [linkId, 2n ** 63n - 1n, max],
  };
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
