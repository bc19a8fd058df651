import { TrialLimitReached } from '../../../domain/link/trial-limit.js';
import type { Tx } from '../../base/database/tx.js';
import type { PrismaClient } from '../../generated/client.js';

/** The client whose links are counted. Sandbox links never count. Source: link-lifecycle 12. */
interface Client {
  clientId: string;
  environment: string;
}

/** Whether the client may create another Live link now. Does not reserve a place. */
export async function hasTrialPlace(
  db: PrismaClient | Tx,
  { clientId, environment }: Client,
): Promise<boolean> {
  if (environment !== 'live') return true;
  const { liveLimit } = await db.apiClient.findUniqueOrThrow({
    where: { clientId },
    select: { liveLimit: true },
  });
  return (await countLinks(db, clientId)) < liveLimit;
}

/**
 * Reserves a place for a link that starts to count in this transaction. Locks the client until the
 * end of the transaction, so two links cannot take the same place. As everywhere, a link is locked
 * before its client.
 * @throws TrialLimitReached
 */
export async function reserveTrialPlace(tx: Tx, client: Client): Promise<void> {
  if (client.environment !== 'live') return;
  await tx.$queryRaw`SELECT client_id FROM api_clients WHERE client_id = ${client.clientId} FOR NO KEY UPDATE`;
  if (!(await hasTrialPlace(tx, client))) throw new TrialLimitReached(client.clientId);
}

/** Uses the condition of the index links_counted, which matches domain/link/trial-limit.ts. */
async function countLinks(db: PrismaClient | Tx, clientId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM links
     WHERE client_id = ${clientId} AND environment = 'live'
       AND (state IN ('connecting', 'awaiting_token_exchange', 'connected') OR (state = 'error' AND connected_at IS NOT NULL))`;
  return row?.count ?? 0;
}
