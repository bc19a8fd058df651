import type { Environment } from '../../../domain/api/environment.js';
import { NoRoute } from '../../../domain/institutions/no-route.js';
import { firstCallPatience } from '../../../domain/institutions/route-failover.js';
import {
  chooseRoute,
  type RouteChoice,
  type RouteCriteria,
} from '../../../domain/institutions/route-choice.js';
import { requiredProducts, type RequestedProducts } from '../../../domain/link/products.js';
import type { Context } from '../../base/context.js';
import { asJson } from '../../base/database/json-column.js';
import type { Tx } from '../../base/database/tx.js';
import type { InstitutionRoute, Link, LinkSession } from '../../generated/client.js';
import { routeCandidates } from './route-candidates.js';
import { failedRoutes } from './route-failures.js';

export interface RouteRequest {
  institutionId: string;
  session: LinkSession;
  /** The link of a relink; null = a new link. */
  existing: Pick<Link, 'provider' | 'moveTo'> | null;
  mustRedirect?: boolean;
  /** A provider that was unreachable in this attempt. */
  failed?: string | null;
}

export interface LoginRouteChoice extends RouteChoice {
  /** It avoids a route that failed earlier in the session. */
  isElsewhere: boolean;
  /** The time that the first call has before another route replaces it; null = no limit. */
  patienceMs: number | null;
}

/** Chooses the route of a login. Nothing is stored. */
export async function judgeRoutes(
  ctx: Context,
  tx: Tx,
  { institutionId, session, existing, mustRedirect = false, failed = null }: RouteRequest,
): Promise<LoginRouteChoice> {
  const { sessionId } = session;
  const failedBefore = await failedRoutes(tx, { sessionId, institutionId });
  const criteria: RouteCriteria = {
    environment: session.environment as Environment,
    requiredProducts: requiredProducts(session.products as RequestedProducts),
    sessionProviders: session.providers,
    appProviders: await providersOfApp(tx, session.appId),
    mayRedirect: session.redirectUri !== null,
    mustRedirect,
    serves: existing?.provider ?? null,
    moveTo: existing?.moveTo ?? null,
    failed,
    failedBefore,
  };
  const candidates = await routeCandidates(ctx, tx, institutionId);
  const choice = chooseRoute(candidates, criteria);
  const last = failed ?? failedBefore.at(-1) ?? null;
  const isElsewhere = last !== null && choice.chosen !== null && choice.chosen !== last;
  return { ...choice, isElsewhere, patienceMs: firstCallPatience(candidates, criteria, choice) };
}

/**
 * Chooses the route of a login, for `recordDecision` with its link.
 * @throws NoRoute
 */
export async function takeRoute(
  ctx: Context,
  tx: Tx,
  request: RouteRequest,
): Promise<{ route: InstitutionRoute; choice: LoginRouteChoice }> {
  const choice = await judgeRoutes(ctx, tx, request);
  const { institutionId } = request;
  const { chosen } = choice;
  if (chosen === null) throw new NoRoute(institutionId);
  const route = await tx.institutionRoute.findUniqueOrThrow({
    where: { institutionId_provider: { institutionId, provider: chosen } },
  });
  return { route, choice };
}

/** Stores the reasons for a login's route, for `links explain`. */
export async function recordDecision(
  ctx: Context,
  tx: Tx,
  decision: {
    linkId: string;
    attemptKey: string;
    session: Pick<LinkSession, 'sessionId'>;
    institutionId: string;
    why: 'first' | 'relink' | 'failover';
    choice: RouteChoice;
  },
): Promise<void> {
  const { linkId, attemptKey, session, institutionId, why, choice } = decision;
  await tx.routeDecision.createMany({
    skipDuplicates: true,
    data: {
      linkId,
      attemptKey,
      sessionId: session.sessionId,
      institutionId,
      why,
      chosen: choice.chosen,
      candidates: asJson(choice.routes),
      createdAt: ctx.clock(),
    },
  });
}

async function providersOfApp(tx: Tx, appId: string): Promise<string[]> {
  const rows = await tx.appProvider.findMany({ where: { appId }, orderBy: { position: 'asc' } });
  return rows.map(({ provider }) => provider);
}
