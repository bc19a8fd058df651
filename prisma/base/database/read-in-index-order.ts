import type pg from 'pg';
import { inPoolTransaction } from './pool-transaction.js';
import type { Statement } from './statement.js';

/** The plans that read more than a page needs: they collect rows, and sort or drop most of them. */
const AVOIDED = ['sort', 'incremental_sort', 'seqscan', 'bitmapscan'];

/** Settings of one transaction, in the same round trip as its start: the connection keeps none. */
export const BEGIN_IN_INDEX_ORDER = [
  'BEGIN READ ONLY',
  ...AVOIDED.map((plan) => `SET LOCAL enable_${plan} = off`),
].join('; ');

/**
 * Runs the statement of a page, which PostgreSQL then reads from an index in the order of the list.
 * Left alone, it collects and sorts all rows of a range wherever it expects few of them
 * (decision 0055). The statement has no name: a kept plan would outlive the settings.
 */
export function readInIndexOrder<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { text, values }: Statement,
): Promise<Row[]> {
  const read = (client: pg.PoolClient) => client.query<Row>(text, values).then(({ rows }) => rows);
  return inPoolTransaction(pool, read, BEGIN_IN_INDEX_ORDER);
}
