import { InstitutionUnavailable } from '../../domain/institutions/institution-unavailable.js';
import { leavesConnect, ROUTE_LOGINS } from '../../domain/institutions/route-login.js';
import type { Tx } from '../database/tx.js';
import type { Prisma } from '../generated/client.js';
import type { InstitutionFilter } from './search-institutions.js';

export function whereAvailable(filter: InstitutionFilter): Prisma.InstitutionWhereInput {
  return {
    environment: { in: [...filter.environments] },
    ...(filter.countries.length === 0 ? {} : { country: { in: [...filter.countries] } }),
    ...(filter.hiddenToo === true ? {} : { hidden: false }),
    routes: { some: whereUsable(filter) },
  };
}

/** The routes that a session may use. Source: link-lifecycle 2.1, 2.3. */
export function whereUsable({
  requiredProducts,
  providers,
  oauthPossible,
}: Pick<
  InstitutionFilter,
  'requiredProducts' | 'providers' | 'oauthPossible'
>): Prisma.InstitutionRouteWhereInput {
  return {
    products: { hasEvery: [...requiredProducts] },
    ...(providers.length === 0 ? {} : { provider: { in: [...providers] } }),
    ...(oauthPossible ? {} : { login: { in: ROUTE_LOGINS.filter((way) => !leavesConnect(way)) } }),
  };
}

/** @throws InstitutionUnavailable when the catalogue no longer offers the institution for this filter */
export async function requireAvailable(
  tx: Tx,
  filter: InstitutionFilter,
  institutionId: string,
): Promise<void> {
  const found = await tx.institution.findFirst({
    where: { AND: [{ institutionId }, whereAvailable(filter)] },
    select: { institutionId: true },
  });
  if (found === null) throw new InstitutionUnavailable(institutionId);
}
