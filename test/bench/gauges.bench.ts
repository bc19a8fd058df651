import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { loadSql } from '../../prisma/base/database/load-sql.js';
import { GaugeRepository } from '../../prisma/operations/gauges/gauge.repository.js';
import { FILLED_AT, fillWithRows } from '../support/fixtures/many-rows.js';
import { openStorage } from '../support/fixtures/stored-link.js';
import { readOptions } from './support/options.js';
import { Report } from './support/report.js';

// 1,000,000 links with keys, products, a session and a delivered webhook each: the cost of reading
// the gauges on an ordinary day, and on a day on which all work is pending.
const LINKS = 1_000_000;
const GOAL_MS = 50;
const READINGS = 40;
const DAYS = {
  'an ordinary day': { waiting: 500, undelivered: 1_000, endpoints: 50 },
  'a day on which everything waits': { waiting: 200_000, undelivered: 200_000, endpoints: 1_500 },
};
const AT = `'${FILLED_AT.toISOString()}'`;
const STATEMENTS: [string, string, string][] = [
  ['work-gauges', 'timestamptz, text, int, int', `${AT}, 'default', 1000, 250`],
  ['session-ends', 'timestamptz, timestamptz', `${AT}::timestamptz - interval '15 minutes', ${AT}`],
  ['key-ages', 'timestamptz', AT],
];

const options = readOptions();
const report = new Report('gauges');
for (const [day, rows] of Object.entries(DAYS)) {
  const storage = await openStorage(() => FILLED_AT);
  try {
    await fillWithRows(storage, { links: LINKS, ...rows });
    const gauges = new GaugeRepository(storage.ctx);
    // The first one prepares the statements, and reads pages that are not in memory yet.
    const times: number[] = [];
    for (let reading = 0; reading <= READINGS; reading += 1) times.push(await timed(gauges));
    const [first = 0, ...others] = times;
    report.note(
      day,
      { first, ...spread(others) },
      `${day}: the first reading took ${first.toFixed(1)} ms, later ones ${text(others)}`,
    );
    const client = await storage.ctx.database.hot.connect();
    const onServer: number[] = Array.from({ length: READINGS }, () => 0);
    for (const [name, types, values] of STATEMENTS) {
      await client.query(`PREPARE "bench-${name}" (${types}) AS ${loadSql(name)}`);
      const each: number[] = [];
      for (let reading = 0; reading < READINGS; reading += 1)
        each.push(await explained(client, `EXECUTE "bench-${name}" (${values})`));
      each.forEach((ms, reading) => (onServer[reading] = (onServer[reading] ?? 0) + ms));
      report.note(`${day}, ${name}`, spread(each), `  ${name} on the server: ${text(each)}`);
    }
    client.release(true);
    const { median } = spread(onServer);
    report.note(
      `${day}, on the server`,
      spread(onServer),
      `  together on the server: ${text(onServer)}; goal ${GOAL_MS} ms ${median < GOAL_MS ? 'reached' : 'MISSED'}`,
    );
  } finally {
    await storage.close();
  }
}
report.end(options.json);

async function timed(gauges: GaugeRepository): Promise<number> {
  const began = performance.now();
  await gauges.read();
  return performance.now() - began;
}

/** The time that PostgreSQL reports, without the round trip and the wait for a free core here. */
async function explained(client: pg.PoolClient, statement: string): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': { 'Execution Time': number }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement}`,
  );
  return rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? Number.NaN;
}

function spread(times: readonly number[]): { median: number; longest: number } {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 };
}

function text(times: readonly number[]): string {
  const { median, longest } = spread(times);
  return `${median.toFixed(1)} ms (median), at most ${longest.toFixed(1)} ms`;
}
