import { leavesConnect, type RouteLogin } from '../../domain/institutions/route-login.js';
import { requiredProducts, type RequestedProducts } from '../../domain/link/products.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import type { Institution, InstitutionRoute, LinkSession } from '../generated/client.js';

/** How an institution is reached through one provider. */
export function routeOf(
  db: Tx | Context['database']['prisma'],
  institutionId: string,
  provider: string,
): Promise<(InstitutionRoute & { institution: Institution }) | null> {
  return db.institutionRoute.findUnique({
    where: { institutionId_provider: { institutionId, provider } },
    include: { institution: true },
  });
}

/**
 * The best route a session may use: without a redirect_uri one that stays in Connect, then the
 * provider that already serves the link, then healthy before degraded, then by priority.
 */
export async function bestRoute(
  tx: Tx,
  institutionId: string,
  session: LinkSession,
  served: string | null,
): Promise<InstitutionRoute> {
  const best = await findBestRoute(tx, institutionId, session, served);
  if (best === null) throw new Error(`no route to ${institutionId} for this session`);
  return best;
}

/** The same, or null when the institution has no route for the session. */
export async function findBestRoute(
  tx: Tx,
  institutionId: string,
  session: LinkSession,
  served: string | null,
): Promise<InstitutionRoute | null> {
  const routes = await tx.institutionRoute.findMany({
    where: {
      institutionId,
      products: { hasEvery: requiredProducts(session.products as RequestedProducts) },
      ...(session.providers.length === 0 ? {} : { provider: { in: session.providers } }),
    },
    orderBy: [{ priority: 'desc' }, { provider: 'asc' }],
  });
  // A compatible session without a redirect_uri may still name a bank that is reached by one.
  const staying = routes.filter(({ login }) => !leavesConnect(login as RouteLogin));
  const usable = session.redirectUri === null && staying.length > 0 ? staying : routes;
  return (
    usable.find(({ provider }) => provider === served) ??
    usable.find((route) => route.health !== 'down') ??
    usable[0] ??
    null
  );
}
