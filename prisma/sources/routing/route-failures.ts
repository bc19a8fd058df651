import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import { FAILOVER_CAUSES } from '../../../domain/institutions/route-failover.js';
import type { Tx } from '../../base/database/tx.js';

/** Records on a route decision why its login failed. */
export async function noteFailure(
  tx: Tx,
  { sessionId, attemptKey }: { sessionId: string; attemptKey: string },
  cause: ProviderCause,
): Promise<void> {
  await tx.routeDecision.updateMany({
    where: { sessionId, attemptKey },
    data: { failedCause: cause },
  });
}

/** The providers whose route to an institution failed in a session, the most recent last. */
export async function failedRoutes(
  tx: Tx,
  { sessionId, institutionId }: { sessionId: string; institutionId: string },
): Promise<string[]> {
  const rows = await tx.routeDecision.findMany({
    where: { sessionId, institutionId, failedCause: { in: [...FAILOVER_CAUSES] } },
    orderBy: { pk: 'asc' },
    select: { chosen: true },
  });
  return rows.flatMap(({ chosen }) => (chosen === null ? [] : [chosen]));
}
