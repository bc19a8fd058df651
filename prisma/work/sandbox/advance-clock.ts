import type { Tx } from '../../base/database/tx.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Link } from '../../generated/client.js';
import { rememberClock, type InWorld } from '../../worlds/world-clock.js';

/** The current time of a world and the target of its advance. */
export interface Course {
  now: Date;
  to: Date;
}

/**
 * Moves the clock forward and locks it. A start (`durable: false`) need not wait for the disk: it
 * announces nothing, it is repeated if lost in a crash, and the transaction that settles its work
 * makes it durable too.
 */
export async function moveClock(
  tx: Tx,
  world: InWorld,
  to: Date,
  { refreshes = 0, durable = true } = {},
): Promise<Course | null> {
  const [row] = await tx.$queryRaw<{ now: Date; advancing_to: Date }[]>`
    UPDATE sandbox_worlds SET now = greatest(now, ${to}),
           ran = CASE WHEN ran IS NULL THEN NULL ELSE ran || jsonb_build_object('scheduled_refreshes', (ran->>'scheduled_refreshes')::int + ${refreshes}::int) END
     WHERE app_id = ${world.appId} AND world_id = ${world.worldId} AND now IS NOT NULL AND advancing_to IS NOT NULL
    RETURNING now, advancing_to, set_config('synchronous_commit', CASE WHEN ${durable}::boolean THEN current_setting('synchronous_commit') ELSE 'off' END, true)`;
  if (row === undefined) return null;
  rememberClock(tx, world, row.now);
  return { now: row.now, to: row.advancing_to };
}

/** Locks the clock at its current time; false = the world no longer exists. */
export async function lockClock(tx: Tx, world: InWorld): Promise<boolean> {
  const [row] = await tx.$queryRaw<
    { now: Date | null }[]
  >`SELECT now FROM sandbox_worlds WHERE app_id = ${world.appId} AND world_id = ${world.worldId} FOR NO KEY UPDATE`;
  if (row === undefined || row.now === null) return false;
  rememberClock(tx, world, row.now);
  return true;
}

/**
 * Adds the work of this transaction to the counts of the advance. Returns whether the link has more
 * to fetch.
 */
export async function countWork(
  tx: Tx,
  { appId, worldId }: InWorld,
  { pk, headSeq, errorCode }: Link,
): Promise<boolean> {
  const [row] = await tx.$queryRawUnsafe<{ more: boolean }[]>(
    loadSql('count-world-run'),
    appId,
    worldId,
    pk,
    headSeq,
    errorCode === 'auth_expired',
  );
  return row?.more ?? false;
}
