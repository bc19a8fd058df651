import { loadSql } from '../../../prisma/base/database/load-sql.js';
import { GaugeRepository } from '../../../prisma/operations/gauges/gauge.repository.js';
import { FILLED_AT, fillWithRows } from '../../support/fixtures/many-rows.js';
import { openStorage, type Storage } from '../../support/fixtures/stored-link.js';

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
