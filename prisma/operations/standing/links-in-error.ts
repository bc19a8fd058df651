import type { Database } from '../../base/database/database.js';
import type { Statement } from '../../base/database/statement.js';

/** The count ends here; one more stands for any. */
export const MAX_IN_ERROR = 1_000;

/** Links in error of all apps, in the order of their index. */
export const linksInErrorStatement = (): Statement => ({
  text: `
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM links l
       WHERE l.connected_at IS NOT NULL AND l.deleted_at IS NULL AND l.error_code IS NOT NULL AND l.app_id > ''
       ORDER BY l.app_id, l.environment, l.error_code, l.pk LIMIT ${MAX_IN_ERROR + 1}) AS found`,
  values: [],
});

export async function countLinksInError({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(linksInErrorStatement());
  return rows[0]?.count ?? 0;
}
