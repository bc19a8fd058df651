import type { Database } from '../database/database.js';
import { Values, type Statement } from '../database/statement.js';
import { SEALED_COLUMNS } from './sealed-columns.js';

/** Each count ends here; one more stands for any. */
export const MAX_SEALED = 1_000;

/** Tables with values that stay; records of idempotency keys expire within a day. */
export type CountedTable = 'data_keys' | 'signing_keys' | 'cursor_keys';
export type SealedCounts = Record<CountedTable, number>;

const COUNTED = SEALED_COLUMNS.filter(({ table }) => table !== 'idempotency_records');

/** The values that each key has sealed. `data_keys` is read by its index; the other tables have a few rows. */
export function sealedCountsStatement(keyIds: readonly string[]): Statement {
  const values = new Values();
  const ids = values.add(keyIds);
  const counts = COUNTED.map(({ table, column, masterKeyId }) => {
    // A range and an order: for an equality the planner may read the whole table (decision 0055).
    const isOfKey =
      table === 'data_keys'
        ? `${masterKeyId} >= each.key_id AND ${masterKeyId} <= each.key_id ORDER BY ${masterKeyId}`
        : `${masterKeyId} = each.key_id`;
    return `(SELECT count(*)::int FROM (
               SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL AND ${isOfKey} LIMIT ${MAX_SEALED + 1}) AS found) AS ${table}`;
  });
  return values.statement(
    `SELECT each.key_id, ${counts.join(', ')} FROM unnest(${ids}::text[]) AS each(key_id)`,
  );
}

export async function countSealed(
  { pool }: Pick<Database, 'pool'>,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, SealedCounts>> {
  const { rows } = await pool.query<SealedCounts & { key_id: string }>(
    sealedCountsStatement(keyIds),
  );
  return new Map(rows.map(({ key_id: keyId, ...counts }) => [keyId, counts]));
}
