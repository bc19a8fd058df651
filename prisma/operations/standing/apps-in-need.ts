import type { Environment } from '../../../domain/api/environment.js';
import type { Database } from '../../base/database/database.js';
import { loadSql } from '../../base/database/load-sql.js';
import { Values, type Statement } from '../../base/database/statement.js';
import type { IdPage } from '../../tenants/applications/application-page.js';
import { MAX_COUNTED } from './app-counts.js';

/** The receivers that are looked at, and the newest deliveries of each. */
export const MAX_RECEIVERS = 250;
export const MAX_OF_RECEIVER = 100;
/** The apps among which abandoned events are counted for the instance. */
export const MAX_APPS_COUNTED = 1_000;

/** An app in an environment, with the number of what needs attention there; it ends at `MAX_COUNTED`, of which one more stands for any. */
export interface AppInNeed {
  appId: string;
  name: string;
  environment: Environment;
  count: number;
}

/** Ranges of the indexes of each app, in their order: the planner might read another one up to the limit. */
const COUNTED = {
  links: {
    table: 'links',
    where: 'r.connected_at IS NOT NULL AND r.deleted_at IS NULL AND r.error_code IS NOT NULL',
    order: 'r.error_code, r.pk',
  },
  events: {
    table: 'webhook_deliveries',
    where: `r.newest AND r.status >= 'exhausted' AND r.status <= 'exhausted'`,
    order: 'r.status, r.event_pk',
  },
} as const;
export type CountedByApp = keyof typeof COUNTED;

const counted = (kind: CountedByApp): string => {
  const { table, where, order } = COUNTED[kind];
  return `SELECT 1 FROM ${table} r WHERE r.app_id = a.app_id AND r.environment = e.environment AND ${where} ORDER BY ${order} LIMIT ${MAX_COUNTED + 1}`;
};
const ENVIRONMENTS = `unnest(ARRAY['sandbox', 'live']) AS e(environment)`;

/** Apps in the order of their ids, both environments of each, with what is counted. */
export function appsInNeedStatement(kind: CountedByApp, { after, limit }: IdPage): Statement {
  const values = new Values();
  return values.statement(`
    SELECT a.app_id AS "appId", a.name, e.environment, counted.count::int
      FROM (SELECT app_id, name FROM applications WHERE app_id > ${values.add(after)} ORDER BY app_id LIMIT ${values.add(limit)}) AS a
     CROSS JOIN ${ENVIRONMENTS}
     CROSS JOIN LATERAL (SELECT count(*) FROM (${counted(kind)}) AS found) AS counted
     ORDER BY a.app_id, e.environment DESC`);
}

export async function listAppsInNeed(
  { pool }: Pick<Database, 'pool'>,
  kind: CountedByApp,
  page: IdPage,
): Promise<AppInNeed[]> {
  const { rows } = await pool.query<AppInNeed>(appsInNeedStatement(kind, page));
  return rows;
}

export const refusingAppsStatement = (): Statement => ({
  text: loadSql('refusing-apps'),
  values: [MAX_RECEIVERS, MAX_OF_RECEIVER],
});

/** The apps whose receivers refuse, those with the most first. */
export async function listRefusingApps({ pool }: Pick<Database, 'pool'>): Promise<AppInNeed[]> {
  const { rows } = await pool.query<AppInNeed>(refusingAppsStatement());
  return rows;
}

/** Abandoned events of the first apps, up to the limit of a count. */
export const abandonedEventsStatement = (): Statement => ({
  text: `
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM (SELECT app_id FROM applications WHERE app_id > '' ORDER BY app_id LIMIT ${MAX_APPS_COUNTED}) AS a
       CROSS JOIN ${ENVIRONMENTS}
       CROSS JOIN LATERAL (${counted('events')}) AS found
       LIMIT ${MAX_COUNTED + 1}) AS found`,
  values: [],
});

export async function countAbandonedEvents({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(abandonedEventsStatement());
  return rows[0]?.count ?? 0;
}
