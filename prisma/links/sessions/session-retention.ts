import type { Context } from '../../base/context.js';
import { sessionTokensKey } from '../../base/sealing/session-tokens.js';

/**
 * SESSION_RETENTION: removes sessions that ended before then, with their tokens, keys and route
 * decisions, except those whose link is connecting or waits for its exchange. Returns the number
 * removed.
 */
export async function removeOldSessions(
  ctx: Context,
  before: Date,
  limit: number,
): Promise<number> {
  return ctx.database.transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ session_id: string }[]>`
      SELECT s.session_id FROM link_sessions s
       WHERE s.ended_at <= ${before} AND s.state = 'ended'
         AND NOT EXISTS (SELECT FROM links l WHERE l.pk = s.link_pk AND l.state IN ('connecting', 'awaiting_token_exchange'))
       ORDER BY s.ended_at LIMIT ${limit}
         FOR UPDATE OF s SKIP LOCKED`;
    const ids = rows.map(({ session_id: sessionId }) => sessionId);
    await tx.dataKey.deleteMany({
      where: { owner: { in: ids.flatMap((id) => [`session/${id}`, sessionTokensKey(id)]) } },
    });
    await tx.routeDecision.deleteMany({ where: { sessionId: { in: ids } } });
    await tx.linkSession.deleteMany({ where: { sessionId: { in: ids } } });
    return rows.length;
  });
}
