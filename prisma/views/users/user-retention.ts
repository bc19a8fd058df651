import type { LinkError } from '../../../domain/link/link-state.js';
import { judgeTransition } from '../../../domain/link/link-transitions.js';
import type { Context } from '../../base/context.js';
import { countUse } from '../../tenants/usage/app-use.js';

/**
 * USER_RETENTION: removes customer users who have had neither a session nor a connected link for
 * that long, with the records of failed attempts, and the records of erasures completed before
 * then. A user still in use is checked again after the same period, which keeps each round cheap.
 * @returns the number of removed rows
 */
export async function removeUnusedUsers(
  ctx: Context,
  now: Date,
  retentionMs: number,
  limit: number,
): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  return ctx.database.transaction(async (tx) => {
    const due = await tx.$queryRaw<{ pk: bigint; in_use: boolean }[]>`
      SELECT u.pk, EXISTS (SELECT FROM link_sessions s WHERE s.customer_user_pk = u.pk)
                OR EXISTS (
                     SELECT FROM links l WHERE l.customer_user_pk = u.pk
                        AND (l.state <> 'error' OR l.connected_at IS NOT NULL)) AS in_use
        FROM customer_users u WHERE u.last_used_at <= ${before}
       ORDER BY u.last_used_at LIMIT ${limit}
         FOR UPDATE SKIP LOCKED`;
    const inUse = due.filter(({ in_use: isInUse }) => isInUse).map(({ pk }) => pk);
    const unused = due.filter(({ in_use: isInUse }) => !isInUse).map(({ pk }) => pk);
    await tx.customerUser.updateMany({ where: { pk: { in: inUse } }, data: { lastUsedAt: now } });
    const attempts = await tx.link.findMany({
      where: { customerUserPk: { in: unused }, state: 'error', connectedAt: null },
      select: { pk: true, errorCode: true, appId: true, environment: true },
    });
    const gone = attempts.filter(
      ({ errorCode }) =>
        judgeTransition(
          { state: 'error', error: errorCode as LinkError | null, everConnected: false },
          { type: 'purge' },
        ).kind === 'gone',
    );
    await tx.link.deleteMany({ where: { pk: { in: gone.map(({ pk }) => pk) } } });
    for (const link of gone) countUse(ctx, tx, link, { links: -1 }, link.pk);
    await tx.customerUser.deleteMany({ where: { pk: { in: unused } } });
    const erasures = await tx.userErasure.deleteMany({ where: { erasedAt: { lte: before } } });
    return unused.length + gone.length + erasures.count;
  });
}
