import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';

/** One step of a walk through a table. */
export interface WalkStep {
  /** Removed rows. */
  removed: number;
  /** The key from which the next step continues; null = the walk is at the end. */
  next: bigint | null;
}

/**
 * HOLDING_DAYS_RETENTION: thins older days of the holdings of an account to the last of each month,
 * so that a past day still shows the newest kept one before it. Reads the accounts after a key.
 * @param now real time; an account of a world with a clock of its own follows that
 * @param limits accounts of a step, and removed days of each
 */
export async function thinHoldingDays(
  { database: { pool } }: Pick<Context, 'database'>,
  now: Date,
  retentionMs: number,
  { after, accounts, days }: { after: bigint; accounts: number; days: number },
): Promise<WalkStep> {
  const { rows } = await pool.query<{ last: string | null; removed: number }>({
    name: 'thin-holding-days',
    text: loadSql('thin-holding-days'),
    values: [after, now, retentionMs, accounts, days],
  });
  const { last = null, removed = 0 } = rows[0] ?? {};
  return { removed, next: last === null ? null : BigInt(last) };
}
