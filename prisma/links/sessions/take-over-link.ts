import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import { endSession } from './end-session.js';
import { lockSession } from './lock-session.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';

/** link-lifecycle 8: an existing link has one open session. Ends the earlier ones. */
export async function takeOverLink(ctx: Context, tx: Tx, linkId: string): Promise<void> {
  // Two sessions created at the same moment would not see each other.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`relink/${linkId}`}, 0))`;
  const earlier = await tx.linkSession.findMany({
    where: {
      existingLinkId: linkId,
      OR: [
        { state: { in: ['created', 'open'] } },
        { state: 'succeeded', resumedWithoutToken: true },
      ],
    },
    select: { sessionId: true },
  });
  for (const { sessionId } of earlier) {
    const found = await lockSession(tx, sessionId);
    if (found?.existingLinkId !== linkId || !mayStillChangeLink(found)) continue;
    await endSession(ctx, tx, sessionId, 'superseded');
    await enqueueCommand(tx, {
      kind: 'signalSession',
      sessionId,
      mode: found.beganAs === 'relink' ? 'relink' : 'link',
      signal: 'ended',
    });
  }
}

/** Success is the end of a relink, unless the app has to confirm it. */
function mayStillChangeLink({ state, resumedWithoutToken }: LinkSession): boolean {
  return state === 'created' || state === 'open' || (state === 'succeeded' && resumedWithoutToken);
}
