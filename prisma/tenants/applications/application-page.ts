import type { Database } from '../../base/database/database.js';
import { Values, type Statement } from '../../base/database/statement.js';

export interface ListedApplication {
  appId: string;
  name: string;
  createdAt: Date;
}

/** `after`: empty = from the first. */
export interface IdPage {
  after: string;
  limit: number;
}

export function applicationPageStatement({ after, limit }: IdPage): Statement {
  const values = new Values();
  return values.statement(`
    SELECT app_id AS "appId", name, created_at AS "createdAt"
      FROM applications WHERE app_id > ${values.add(after)} ORDER BY app_id LIMIT ${values.add(limit)}`);
}

/** Apps in the order of their ids. */
export async function listApplications(
  { pool }: Pick<Database, 'pool'>,
  page: IdPage,
): Promise<ListedApplication[]> {
  const { rows } = await pool.query<ListedApplication>(applicationPageStatement(page));
  return rows;
}
