import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { WalkStep } from './thin-holding-days.js';

/**
 * Removes securities that no link has any more, of `limit` after a key: those of deleted worlds, and
 * those that a deletion had to leave, because another one used them at that moment.
 */
export async function removeUnusedSecurities(
  { database: { pool } }: Pick<Context, 'database'>,
  { after, limit }: { after: bigint; limit: number },
): Promise<WalkStep> {
  const { rows } = await pool.query<{ last: string | null; removed: number }>({
    name: 'remove-unused-securities',
    text: loadSql('remove-unused-securities'),
    values: [after, limit],
  });
  const { last = null, removed = 0 } = rows[0] ?? {};
  return { removed, next: last === null ? null : BigInt(last) };
}
