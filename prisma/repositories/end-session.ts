import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import { Prisma } from '../generated/client.js';
import { notify } from './notify.js';
import { releaseLogin } from './release-permission.js';

export type SessionEnd = 'expired' | 'exchanged' | 'exchange_window_over' | 'link_deleted' | 'cancelled' | 'superseded';

/** A step may show names and balances of accounts: it goes with its session. */
export const NOTHING_SHOWN = { step: Prisma.DbNull, preparedStep: Prisma.DbNull };

/** Ends a session: nothing sealed for it remains, and what a bank gave to it alone is revoked. */
export async function endSession(ctx: Context, tx: Tx, sessionId: string, reason: SessionEnd): Promise<void> {
  await tx.linkSession.updateMany({ where: { sessionId, state: { not: 'ended' } }, data: { state: 'ended', endReason: reason, endedAt: ctx.clock(), ...NOTHING_SHOWN } });
  await releaseLogin(ctx, tx, sessionId);
  await tx.sessionSecret.deleteMany({ where: { sessionId } });
  await tx.oAuthState.deleteMany({ where: { sessionId } });
  await ctx.sealer.eraseKey(tx, `session/${sessionId}`);
  await notify(tx, 'link_session', sessionId);
}
