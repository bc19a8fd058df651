import type { Tenant } from '../../../domain/api/environment.js';
import { LINK_ERRORS, type LinkError } from '../../../domain/link/link-state.js';
import type { Database } from '../../base/database/database.js';
import { Values, type Statement } from '../../base/database/statement.js';

/** Events that are not delivered, by the status of their newest delivery. */
const EVENT_STATUSES = ['pending', 'exhausted', 'disabled'] as const;
const SESSION_STATES = ['created', 'open'] as const;
/** Every count stops here. */
export const MAX_COUNTED = 1_000;

/** Numbers of an app that ask for attention; each ends at `MAX_COUNTED`, of which one more stands for any. */
export interface AppCounts {
  linksInError: Record<LinkError, number>;
  events: Record<(typeof EVENT_STATUSES)[number], number>;
  sessions: Record<(typeof SESSION_STATES)[number], number>;
}

interface Counted {
  table: string;
  /** The rows of its partial index. */
  where: string;
  /** The column that is counted by, and the rest of the index. */
  columns: readonly [string, ...string[]];
  values: readonly string[];
}

const COUNTED: Readonly<Record<keyof AppCounts, Counted>> = {
  linksInError: {
    table: 'links',
    where: 'r.connected_at IS NOT NULL AND r.deleted_at IS NULL AND r.error_code IS NOT NULL',
    columns: ['error_code', 'pk'],
    values: LINK_ERRORS,
  },
  events: {
    table: 'webhook_deliveries',
    where: 'r.newest',
    columns: ['status', 'event_pk'],
    values: EVENT_STATUSES,
  },
  sessions: {
    table: 'link_sessions',
    where: 'true',
    columns: ['state', 'created_at', 'session_id'],
    values: SESSION_STATES,
  },
};

/** One range of an index for each number, in its order: the planner might read another one up to the limit. */
export function countsStatement({ appId, environment }: Tenant): Statement {
  const values = new Values();
  const app = values.add(appId);
  const of = values.add(environment);
  const limit = values.add(MAX_COUNTED + 1);
  const parts = Object.entries(COUNTED).map(([kind, { table, where, columns, values: names }]) => {
    const order = columns.map((column) => `r.${column}`).join();
    return `
      SELECT '${kind}' AS kind, each.name, counted.count::int
        FROM unnest(${values.add(names)}::text[]) AS each(name)
       CROSS JOIN LATERAL (SELECT count(*) FROM (
         SELECT 1 FROM ${table} r
          WHERE r.app_id = ${app} AND r.environment = ${of} AND ${where}
            AND r.${columns[0]} >= each.name AND r.${columns[0]} <= each.name
          ORDER BY ${order} LIMIT ${limit}) AS found) AS counted`;
  });
  return values.statement(parts.join(' UNION ALL '));
}

export async function countApp(
  { pool }: Pick<Database, 'pool'>,
  tenant: Tenant,
): Promise<AppCounts> {
  const { rows } = await pool.query<{ kind: keyof AppCounts; name: string; count: number }>(
    countsStatement(tenant),
  );
  const counts = { linksInError: {}, events: {}, sessions: {} } as AppCounts;
  for (const { kind, name, count } of rows) Object.assign(counts[kind], { [name]: count });
  return counts;
}
