import { InstitutionUnavailable } from '../../domain/institutions/institution-unavailable.js';
import type { Tx } from '../database/tx.js';
import type { Prisma } from '../generated/client.js';
import type { InstitutionFilter } from './search-institutions.js';

export function whereAvailable(filter: InstitutionFilter): Prisma.InstitutionWhereInput {
  return {
    environment: { in: [...filter.environments] },
    ...(filter.countries.length === 0 ? {} : { country: { in: [...filter.countries] } }),
    ...(filter.oauthPossible ? {} : { login: { not: 'oauth' } }),
    routes: {
      some: {
        products: { hasEvery: [...filter.requiredProducts] },
        ...(filter.providers.length === 0 ? {} : { provider: { in: [...filter.providers] } }),
      },
    },
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
