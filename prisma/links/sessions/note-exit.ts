import type { SessionExit } from '../../../domain/session/session-exit.js';
import type { Context } from '../../base/context.js';
import { asJson } from '../../base/database/json-column.js';
import { announceSessionEnd } from '../../announcements/events/announce-session-end.js';
import { Prisma } from '../../generated/client.js';

/**
 * Stores the step at which the user left a session, which stays open, and announces it. Only the
 * first exit since its last opening counts.
 */
export async function noteExit(ctx: Context, sessionId: string, exit: SessionExit): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const noted = await tx.linkSession.updateMany({
      where: { sessionId, exit: { equals: Prisma.DbNull } },
      data: { exit: asJson(exit) },
    });
    if (noted.count === 0) return;
    const session = await tx.linkSession.findUniqueOrThrow({ where: { sessionId } });
    await announceSessionEnd(ctx, tx, session, { outcome: 'exited' });
  });
}
