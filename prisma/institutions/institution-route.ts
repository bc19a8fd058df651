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
 * The best route a session may use: the provider that already serves the link, then healthy before
 * degraded, then by priority.
 */
export async function bestRoute(
  tx: Tx,
  institutionId: string,
  session: LinkSession,
  served: string | null,
): Promise<InstitutionRoute> {
  const routes = await tx.institutionRoute.findMany({
    where: {
      institutionId,
      products: { hasEvery: requiredProducts(session.products as RequestedProducts) },
      ...(session.providers.length === 0 ? {} : { provider: { in: session.providers } }),
    },
    orderBy: [{ priority: 'desc' }, { provider: 'asc' }],
  });
  const best =
    routes.find(({ provider }) => provider === served) ??
    routes.find((route) => route.health !== 'down') ??
    routes[0];
  if (best === undefined) throw new Error(`no route to ${institutionId} for this session`);
  return best;
}
