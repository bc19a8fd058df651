import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';

/** Locks a session until the end of the transaction and reads it. */
export async function lockSession(tx: Tx, sessionId: string): Promise<LinkSession | null> {
  await tx.$queryRaw`SELECT session_id FROM link_sessions WHERE session_id = ${sessionId} FOR NO KEY UPDATE`;
  return tx.linkSession.findUnique({ where: { sessionId } });
}
