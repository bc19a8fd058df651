import { loadSql } from '../../../prisma/base/database/load-sql.js';
import { GaugeRepository } from '../../../prisma/operations/gauges/gauge.repository.js';
import { openStorage, type Storage, storeLink } from '../../support/fixtures/stored-link.js';
import { onConnection } from '../../support/services/postgres.mjs';

/** The number of rows of each kind. */
interface ManyRows {
  links: number;
  /** Links whose refresh is due, fetches that no run has claimed, commands in the outbox. */
  waiting: number;
  /** Webhooks that wait for a first attempt, and as many that wait for a later one. */
  undelivered: number;
  endpoints: number;
}

const FILLED_AT = new Date('2026-03-02T12:00:00Z');

/** Tables of a service with many links, at noon: each link has products, keys, a session and a delivered webhook. */
async function fillWithRows(
  storage: Storage,
  { links, waiting, undelivered, endpoints }: ManyRows,
): Promise<void> {
  const pattern = await storeLink(storage);
  const { connectionString } = storage.ctx.database.pool.options;
  await onConnection({ connectionString }, async (client) => {
    const fill = (text: string, values: unknown[]) => client.query(text, values);
    await fill(
      `WITH pattern AS (SELECT * FROM links WHERE pk = $1),
            made AS (INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, connected_at, next_due_at)
                     SELECT 'mk_many_' || n, app_id, environment, client_id, customer_user_pk, institution_id, provider, 'connected', $3,
                            $3::timestamptz + CASE WHEN n <= $4 THEN -n * interval '1 ms' ELSE n % 21600 * interval '1 s' + interval '1 s' END
                       FROM pattern, generate_series(1, $2::int) AS n RETURNING pk, link_id),
            keys AS (INSERT INTO data_keys (owner, master_key_id, wrapped) SELECT 'link/' || link_id, 'new', '' FROM made)
       INSERT INTO link_products (link_pk, product, position, required, prefetch, require_permission, extend_history, state, state_changed_at)
       SELECT pk, product, position, false, true, false, false, 'completed', $3
         FROM made, unnest(ARRAY['accounts', 'identity', 'transactions']) WITH ORDINALITY AS products(product, position)`,
      [pattern.pk, links, FILLED_AT, waiting],
    );
    await fill(
      `WITH chosen AS (SELECT pk, link_id, row_number() OVER (ORDER BY pk) AS n FROM links WHERE state = 'connected' LIMIT $1::int),
            requests AS (INSERT INTO refresh_requests (link_pk, product, cause, created_at)
                         SELECT pk, 'accounts', 'scheduled', $2::timestamptz - n * interval '1 ms' FROM chosen)
       INSERT INTO outbox_commands (kind, payload, available_at, created_at)
       SELECT 'startProductRefresh', jsonb_build_object('linkId', link_id), $2, $2::timestamptz - interval '1 minute' FROM chosen`,
      [waiting, FILLED_AT],
    );
    await fill(
      `INSERT INTO link_sessions (session_id, app_id, environment, client_id, customer_user_pk, token_hash, mode, began_as, products, countries, providers, features, tags, state, end_reason, expires_at, ended_at)
       SELECT 'ses_many_' || n, app_id, environment, client_id, customer_user_pk, int8send(n), 'link', 'link', '{}', '{}', '{}', '{}', '{}', 'ended', 'exchanged',
              $3, $3::timestamptz - n * interval '30 days' / $2
         FROM links, generate_series(1, $2::int) AS n WHERE pk = $1`,
      [pattern.pk, links, FILLED_AT],
    );
    await fill(
      `WITH events AS (
         INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256, created_at)
         SELECT 'evt_many_' || n, app_id, environment, link_id, 'link.state_changed', 'key_' || n, 'change', '{}', 'hash', $3::timestamptz - interval '1 hour'
           FROM links, generate_series(1, $2::int + 2 * $4::int) AS n WHERE pk = $1
         RETURNING pk, substr(event_id, 10)::int AS n, app_id, environment)
       INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, attempts, in_workflow, next_attempt_at)
       SELECT 'whd_many_' || n, pk, app_id, environment, 'https://app' || n % $5 || '.example/hooks', 'https://app' || n % $5 || '.example:443', 'event',
              CASE WHEN n <= $2 THEN 'delivered' ELSE 'pending' END, CASE WHEN n <= $2 THEN 1 WHEN n <= $2 + $4 THEN 0 ELSE 3 END, n > $2 + $4,
              CASE WHEN n <= $2 THEN NULL ELSE $3::timestamptz - interval '1 minute' END
         FROM events`,
      [pattern.pk, links, FILLED_AT, undelivered, endpoints],
    );
    await fill('ANALYZE', []);
  });
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

const ROWS = { links: 12_000, waiting: 300, undelivered: 6_000, endpoints: 20 };
/** The maximum of each count. */
const COUNTED = 1_000;
/** These tables hold a few rows, or one for each app. */
const SMALL = ['signing_keys', 'cursor_keys', 'master_keys', 'api_clients'];
const STATEMENTS: [string, string, string][] = [
  ['work-gauges', 'timestamptz, text, int, int', `'${FILLED_AT.toISOString()}', 'default', 50, 20`],
  [
    'session-ends',
    'timestamptz, timestamptz',
    `'${new Date(FILLED_AT.getTime() - 900_000).toISOString()}', '${FILLED_AT.toISOString()}'`,
  ],
  ['key-ages', 'timestamptz', `'${FILLED_AT.toISOString()}'`],
];

describe('The statements of the gauges', () => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await openStorage(() => FILLED_AT);
    await fillWithRows(storage, ROWS);
  });
  afterAll(() => storage.close());

  it.each(STATEMENTS)('%s reads a small part of large tables', async (name, types, values) => {
    const client = await storage.ctx.database.hot.connect();
    try {
      await client.query(`PREPARE tried (${types}) AS ${loadSql(name)}`);
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE tried (${values})`,
      );
      const [top] = rows[0]?.['QUERY PLAN'] ?? [];
      if (top === undefined) throw new Error('there is no plan');
      const large = scansOf(top.Plan).filter(
        (scan) => !SMALL.includes(scan['Relation Name'] ?? ''),
      );
      expect(large.length).toBeGreaterThan(0);
      expect(large.filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(large.filter((scan) => rowsRead(scan) > ROWS.links / 50)).toEqual([]);
    } finally {
      client.release(true);
    }
  });

  it('find pending work among many rows', async () => {
    const { work, sessionEnds } = await new GaugeRepository(storage.ctx).read();
    expect(work).toMatchObject({
      outboxCommands: ROWS.waiting,
      linksDue: ROWS.waiting,
      requestsWaiting: ROWS.waiting,
      webhooksDue: COUNTED,
      openRetries: COUNTED,
      endpointsRefusing: ROWS.endpoints,
      linksDueSince: new Date(FILLED_AT.getTime() - ROWS.waiting),
      webhooksDueSince: new Date(FILLED_AT.getTime() - 60_000),
    });
    expect(sessionEnds).toEqual([{ mode: 'link', outcome: 'exchanged', sessions: 4 }]);
  });
});

function scansOf(plan: Plan): Plan[] {
  const below = (plan.Plans ?? []).flatMap(scansOf);
  return plan['Relation Name'] === undefined ? below : [plan, ...below];
}

function rowsRead(scan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': lost = 0 } =
    scan;
  return (scan['Actual Rows'] + filtered + lost) * scan['Actual Loops'];
}
