import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSql, type StatementName } from '../../../prisma/sql/load-sql.js';
import { WebhookService } from './webhook-service.js';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

const ENDPOINTS = 1_000;
const EVENTS = 40_000;
const NOW = '2026-03-02T10:15:30Z';
const LATER = '2026-03-02T10:15:55Z';
const STANDINGS = ['delivered', 'first', 'in workflow', 'waiting'] as const;

/** A log of many delivered events, and at every endpoint some that wait for a first attempt, for a later one, or for a workflow. */
describe('plans of the statements that deliver webhooks', () => {
  let service: WebhookService;
  beforeAll(async () => {
    service = await WebhookService.open();
    const { pool } = service.ctx.database;
    await pool.query(
      `WITH events AS (
         INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256)
         SELECT 'evt_' || n, 'pocket-ledger', 'sandbox', 'mk_' || n % 1000, 'link.state_changed', 'key_' || n, 'change', repeat('x', 300), 'hash' FROM generate_series(1, $1::int) AS n
         RETURNING pk, substr(event_id, 5)::int AS n)
       INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, attempts, in_workflow, next_attempt_at)
       SELECT 'whd_' || n, pk, 'pocket-ledger', 'sandbox', 'https://app' || n % $2 || '.example/hooks', 'https://app' || n % $2 || '.example:443', 'event',
              CASE WHEN kind = 0 THEN 'delivered' ELSE 'pending' END, CASE WHEN kind = 1 THEN 0 ELSE 1 END, kind = 2, CASE WHEN kind > 0 THEN $3::timestamptz - interval '1 hour' END
         FROM (SELECT *, CASE WHEN n / $2 % 10 < $4 THEN n / $2 % 10 ELSE 0 END AS kind FROM events) AS made`,
      [EVENTS, ENDPOINTS, NOW, STANDINGS.length],
    );
    await pool.query('ANALYZE');
  }, 60_000);
  afterAll(() => service.close());

  const literal = (value: unknown): string => (value === null ? 'NULL' : Array.isArray(value) ? `'{${value.join(',')}}'` : `'${String(value)}'`);

  /** Tables that are read from end to end. */
  async function readWhole(name: StatementName, types: string, values: unknown[], planning: string): Promise<string[]> {
    const client = await service.ctx.database.pool.connect();
    try {
      await client.query(`SET plan_cache_mode = ${planning}`);
      await client.query(`PREPARE tried (${types}) AS ${loadSql(name)}`);
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`EXPLAIN (FORMAT JSON) EXECUTE tried (${values.map(literal).join(', ')})`);
      const [top] = rows[0]?.['QUERY PLAN'] ?? [];
      if (top === undefined) throw new Error('there is no plan');
      return sequentialScans(top.Plan);
    } finally {
      client.release(true);
    }
  }

  function sequentialScans({ 'Node Type': type, 'Relation Name': table = '', Plans = [] }: Plan): string[] {
    // The leases are as many as attempts are under way.
    return [...(type === 'Seq Scan' && table !== 'webhook_leases' ? [table] : []), ...Plans.flatMap(sequentialScans)];
  }

  const outcome = JSON.stringify([{ delivery_pk: 7, attempt: 1, started_at: NOW, duration_ms: 5, http_status: 500, error: 'http_status', response_excerpt: null, status: 'pending', next_attempt_at: LATER, shift_ms: 0 }]);
  const STATEMENTS: [StatementName, string, unknown[]][] = [
    ['webhook-claim-first-attempts', 'timestamptz, timestamptz, int, int, bigint, text[], int, text, int', [NOW, LATER, 8, 500, 1, ['https://app1.example:443'], 64, '', 256]],
    ['webhook-claim-attempt', 'timestamptz, timestamptz, int, bigint, text', [NOW, LATER, 8, 7, 'https://app7.example:443']],
    ['webhook-record-outcomes', 'jsonb', [outcome]],
    ['webhook-hand-to-workflows', 'bigint[], text[], int, int', [['7'], ['https://app7.example:443'], 50, 50]],
    ['webhook-hand-to-workflows', 'bigint[], text[], int, int', [null, null, 50, 10]],
  ];

  it.each(STATEMENTS.flatMap(([name, types, values]) => ['force_generic_plan', 'force_custom_plan'].map((planning) => ({ name, types, values, planning }))))(
    '$name reads no table from end to end: $planning', async ({ name, types, values, planning }) => {
      expect(await readWhole(name, types, values, planning)).toEqual([]);
    });

  it('a claim visits so many endpoints, and the next one goes on after them', async () => {
    const { deliveries } = service.parts;
    const seen = new Set<string>();
    let afterEndpoint: string | null = '';
    let rounds = 0;
    while (afterEndpoint !== null) {
      const { due, lastEndpoint } = await deliveries.claimFirstAttempts({ limit: 10_000, holder: 1n, perEndpoint: 8, leaseMs: 60_000, afterEndpoint, visit: 256 });
      due.forEach(({ endpoint }) => seen.add(endpoint));
      afterEndpoint = lastEndpoint;
      rounds += 1;
    }
    expect([seen.size, rounds]).toEqual([ENDPOINTS, 4]);
  });
});
