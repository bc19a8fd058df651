import { loadSql } from '../../../prisma/base/database/load-sql.js';
import type { FirstAttemptClaim } from '../../../prisma/announcements/webhooks/webhook-claim.repository.js';
import { WebhookService } from './webhook-service.js';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

const ENDPOINTS = 1_000;
const NOW = '2026-03-02T10:15:30Z';
const LATER = '2026-03-02T10:15:55Z';
const STANDINGS = ['delivered', 'first', 'in workflow', 'waiting'] as const;

const literal = (value: unknown): string =>
  value === null ? 'NULL' : Array.isArray(value) ? `'{${value.join(',')}}'` : `'${String(value)}'`;

/** The tables that the service's statement reads from end to end. */
async function readWhole(
  {
    ctx: {
      database: { hot },
    },
  }: WebhookService,
  name: string,
  types: string,
  values: unknown[],
): Promise<string[]> {
  const client = await hot.connect();
  try {
    await client.query(`PREPARE tried (${types}) AS ${loadSql(name)}`);
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE tried (${values.map(literal).join(', ')})`,
    );
    const [top] = rows[0]?.['QUERY PLAN'] ?? [];
    if (top === undefined) throw new Error('there is no plan');
    return wholeScans(top.Plan, false);
  } finally {
    client.release(true);
  }
}

function wholeScans(
  {
    'Node Type': type,
    'Relation Name': table = '',
    'Index Name': index = '',
    'Index Cond': condition,
    Plans = [],
  }: Plan,
  isFirstRowOnly: boolean,
): string[] {
  const isWhole =
    type === 'Seq Scan' ||
    (/^Index.* Scan$/.test(type) && condition === undefined && !isFirstRowOnly);
  return [
    ...(isWhole ? [`${type} of ${table} by ${index}`] : []),
    ...Plans.flatMap((plan) => wholeScans(plan, type === 'Limit')),
  ];
}

const outcome = JSON.stringify([
  {
    delivery_pk: 7,
    attempt: 1,
    started_at: NOW,
    facts: {},
    status: 'pending',
    next_attempt_at: LATER,
    shift_ms: 0,
  },
]);
const STATEMENTS: [string, string, unknown[]][] = [
  [
    'webhook-claim-first-attempts',
    'timestamptz, timestamptz, int, int, text, int, int, jsonb, int, int, timestamptz',
    [NOW, LATER, 8, 500, '', 256, 100, '{"pocket-ledger/sandbox": 9}', 100, 20, NOW],
  ],
  [
    'webhook-claim-attempt',
    'timestamptz, timestamptz, int, bigint, text',
    [NOW, LATER, 8, 7, 'https://app7.example:443'],
  ],
  ['webhook-record-outcomes', 'jsonb, bigint[]', [outcome, ['7']]],
  [
    'webhook-start-retries',
    'int, int, jsonb, text[]',
    [50, 20, '{"https://app7.example:443": 3}', ['https://app9.example:443']],
  ],
];

/**
 * Delivered events, and at every endpoint some that wait for a first attempt, for a later one, or
 * for a workflow.
 */
async function openWithEvents(events: number): Promise<WebhookService> {
  const service = await WebhookService.open();
  await service.ctx.database.pool.query(
    `WITH events AS (
       INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256)
       SELECT 'evt_' || n, 'pocket-ledger', 'sandbox', 'mk_' || n % 1000, 'link.state_changed', 'key_' || n, 'change', repeat('x', 300), 'hash' FROM generate_series(1, $1::int) AS n
       RETURNING pk, substr(event_id, 5)::int AS n)
     INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, attempts, in_workflow, next_attempt_at)
     SELECT 'whd_' || n, pk, 'pocket-ledger', 'sandbox', 'https://app' || n % $2 || '.example/hooks', 'https://app' || n % $2 || '.example:443', 'event',
            CASE WHEN kind = 0 THEN 'delivered' ELSE 'pending' END, CASE WHEN kind = 1 THEN 0 ELSE 1 END, kind = 2, CASE WHEN kind > 0 THEN $3::timestamptz - interval '1 hour' END
       FROM (SELECT *, CASE WHEN n / $2 % 10 < $4 THEN n / $2 % 10 ELSE 0 END AS kind FROM events) AS made`,
    [events, ENDPOINTS, NOW, STANDINGS.length],
  );
  return service;
}

// A plan lasts as long as its connection while the tables grow, so it must be right whenever it is
// made.
describe.each([0, 5_000, 40_000])(
  'The statements that deliver webhooks, planned at %i events,',
  (events) => {
    let service: WebhookService;
    beforeAll(async () => (service = await openWithEvents(events)));
    afterAll(() => service.close());

    it.each([false, true])('read no table from end to end, analyzed: %j', async (isAnalyzed) => {
      if (isAnalyzed) await service.ctx.database.pool.query('ANALYZE');
      const found = [];
      for (const [name, types, values] of STATEMENTS) {
        const whole = await readWhole(service, name, types, values);
        if (whole.length > 0) found.push([name, ...whole]);
      }
      expect(found).toEqual([]);
    });

    it('limit the number of endpoints that a claim visits, and the next claim continues after them', async () => {
      const { claims } = service.parts;
      const seen = new Set<string>();
      let afterEndpoint: string | null = '';
      let rounds = 0;
      while (afterEndpoint !== null) {
        const { due, lastEndpoint }: FirstAttemptClaim = await claims.claimFirstAttempts({
          limit: 10_000,
          perEndpoint: 8,
          leaseMs: 60_000,
          afterEndpoint,
          visit: 256,
        });
        due.forEach(({ endpoint }) => seen.add(endpoint));
        afterEndpoint = lastEndpoint;
        rounds += 1;
      }
      expect({ endpoints: seen.size, rounds }).toEqual(
        events === 0 ? { endpoints: 0, rounds: 1 } : { endpoints: ENDPOINTS, rounds: 4 },
      );
    });
  },
);
