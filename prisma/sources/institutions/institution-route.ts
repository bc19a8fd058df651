import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { InstitutionRoute } from '../../generated/client.js';

/** The route to an institution through one provider. */
export function routeOf(
  db: Tx | Context['database']['prisma'],
  institutionId: string,
  provider: string,
): Promise<InstitutionRoute | null> {
  return db.institutionRoute.findUnique({
    where: { institutionId_provider: { institutionId, provider } },
  });
}
