import { SessionOver } from '../../../domain/errors/change-refused.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import { lockSession } from './lock-session.js';

/** Locks a session that has not ended. @throws SessionOver */
export async function lockOpenSession(tx: Tx, sessionId: string): Promise<LinkSession> {
  const session = await lockSession(tx, sessionId);
  if (session === null || session.state === 'ended') throw new SessionOver(sessionId);
  return session;
}

/** Locks a session that has not ended and has a link. @throws SessionOver */
export async function lockLinkedSession(
  tx: Tx,
  sessionId: string,
): Promise<LinkSession & { linkPk: bigint }> {
  const session = await lockOpenSession(tx, sessionId);
  if (session.linkPk === null) throw new SessionOver(sessionId);
  return { ...session, linkPk: session.linkPk };
}
