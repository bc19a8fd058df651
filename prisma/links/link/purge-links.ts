import { DELETED_LINK_RETENTION_MS } from '../../../domain/link/link-deletion.js';
import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import { judgeTransition } from '../../../domain/link/link-transitions.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { DEFAULT_WORLD } from '../../worlds/world-clock.js';

/**
 * purge: deletes the record of a link 90 days after the link was deleted, without a webhook. Its
 * events stay in the log as long as any other. `now` is the time of the world. Returns the number
 * of purged links. Sources: link-lifecycle 6.3, 9.
 */
export async function purgeLinks(
  ctx: Context,
  now: Date,
  { limit }: { limit: number },
): Promise<number> {
  return ctx.database.transaction((tx) =>
    purgeDueLinks(tx, now, { worldId: DEFAULT_WORLD, limit }),
  );
}

/** Purges one world, in the caller's transaction. */
export async function purgeDueLinks(
  tx: Tx,
  now: Date,
  { worldId, limit }: { worldId: string; limit: number },
): Promise<number> {
  const rows = await tx.$queryRaw<{ pk: bigint; state: string; error_code: string | null }[]>`
    SELECT pk, state, error_code FROM links
     WHERE state = 'deleted' AND deleted_at <= ${new Date(now.getTime() - DELETED_LINK_RETENTION_MS)} AND world_id = ${worldId}
     ORDER BY deleted_at LIMIT ${limit}
       FOR UPDATE SKIP LOCKED`;
  const due = rows.filter(
    ({ state, error_code: error }) =>
      judgeTransition(
        { state: state as LinkState, error: error as LinkError | null, everConnected: true },
        { type: 'purge' },
      ).kind === 'gone',
  );
  await tx.link.deleteMany({ where: { pk: { in: due.map(({ pk }) => pk) } } });
  return due.length;
}
