import type { Database } from '../database/database.js';
import { Values, type Statement } from '../database/statement.js';

/** The newest action that succeeded, of one command on one subject. */
export interface NewestAction {
  name: string;
  actor: string;
  subject: string;
}

/** Actions on a subject that are searched for the command. */
export const MAX_SEARCHED = 50;
const FIRST_WORD = `split_part(r.subject, ' ', 1)`;

/** For each name, the last time that `action` succeeded on it, among the newest actions on it. */
export function newestActionsStatement(action: string, names: readonly string[]): Statement {
  const values = new Values();
  const named = values.add(names);
  const command = values.add(action);
  // A comparison of rows, as an equality may be read by another index (decision 0055).
  return values.statement(`
    SELECT each.name, found.actor, found.subject
      FROM unnest(${named}::text[]) AS each(name)
     CROSS JOIN LATERAL (
       SELECT a.actor, a.subject FROM (
         SELECT r.pk, r.actor, r.action, r.subject, r.outcome FROM operator_actions r
          WHERE (${FIRST_WORD}, r.pk) < (each.name, 9223372036854775807) AND ${FIRST_WORD} >= each.name
          ORDER BY ${FIRST_WORD} DESC, r.pk DESC LIMIT ${MAX_SEARCHED}) AS a
        WHERE a.action = ${command} AND a.outcome = 'succeeded' ORDER BY a.pk DESC LIMIT 1) AS found`);
}

export async function newestActions(
  { pool }: Pick<Database, 'pool'>,
  action: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, NewestAction>> {
  if (names.length === 0) return new Map();
  const { rows } = await pool.query<NewestAction>(newestActionsStatement(action, names));
  return new Map(rows.map((row) => [row.name, row]));
}
