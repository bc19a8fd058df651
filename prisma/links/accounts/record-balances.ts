import { utcDay } from '../../../domain/api/timestamps.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { loadSql } from '../../base/database/load-sql.js';
import { clockOf, type InWorld } from '../../worlds/world-clock.js';

/**
 * Adds the stored balances of a locked link to their history: one row per account and day with a
 * change, by the clock of the link's world. Source: native-api 3.5.
 */
export async function recordBalances(
  ctx: Context,
  tx: Tx,
  link: InWorld & { pk: bigint },
): Promise<void> {
  const now = await clockOf(ctx, tx, link);
  await tx.$executeRawUnsafe(loadSql('record-balances'), link.pk, utcDay(now), now);
}
