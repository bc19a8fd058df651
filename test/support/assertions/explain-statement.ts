import { escapeLiteral } from 'pg';
import type { Database } from '../../../prisma/base/database/database.js';
import type { Statement } from '../../../prisma/base/database/statement.js';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Plan[];
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  const text =
    value instanceof Date
      ? value.toISOString()
      : Array.isArray(value)
        ? `{${value.join(',')}}`
        : String(value);
  return escapeLiteral(text);
}

/**
 * Runs the statement and rolls it back. Returns the scans of tables whose names match, the number of
 * rows that they read, and the blocks of 8 KiB of the whole statement.
 * @param begin of the transaction, with its settings
 */
export async function explain(
  { text, values }: Statement,
  pool: Database['pool'],
  tables: RegExp,
  begin = 'BEGIN',
): Promise<{ scans: string[]; touched: number; blocks: number }> {
  const client = await pool.connect();
  let isAsBefore = false;
  try {
    // Prepared, as in the service: on its pool of hot statements the plan must not know the
    // values.
    await client.query(`PREPARE tried AS ${text}`);
    await client.query(begin);
    const execute =
      values.length === 0 ? 'EXECUTE tried' : `EXECUTE tried (${values.map(literal).join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${execute}`,
    );
    await client.query('ROLLBACK; DEALLOCATE tried');
    isAsBefore = true;
    return readPlan(rows[0]?.['QUERY PLAN'] ?? [], tables);
  } finally {
    client.release(!isAsBefore);
  }
}

function readPlan(
  plans: { Plan: Plan }[],
  tables: RegExp,
): { scans: string[]; touched: number; blocks: number } {
  const nodes: Plan[] = [];
  const walk = (plan: Plan): void => {
    nodes.push(plan);
    plan.Plans?.forEach(walk);
  };
  plans.forEach(({ Plan: top }) => walk(top));
  const ofTables = nodes.filter(
    (plan) => tables.test(plan['Relation Name'] ?? '') || plan['Node Type'] === 'Bitmap Index Scan',
  );
  const touched = ofTables.reduce(
    (sum, plan) =>
      sum +
      ((plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)) *
        (plan['Actual Loops'] ?? 1),
    0,
  );
  const blocks = (nodes[0]?.['Shared Hit Blocks'] ?? 0) + (nodes[0]?.['Shared Read Blocks'] ?? 0);
  return {
    scans: ofTables.map((plan) =>
      `${plan['Node Type']} ${plan['Index Name'] ?? plan['Relation Name'] ?? ''}`.trim(),
    ),
    touched,
    blocks,
  };
}
