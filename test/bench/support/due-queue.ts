import type { SchedulePolicy } from '../../../domain/refresh/refresh-schedule.js';
import type { Context } from '../../../prisma/base/context.js';
import type { Tx } from '../../../prisma/base/database/tx.js';
import { DueLinkRepository } from '../../../prisma/work/refresh/due-link.repository.js';
import { loadSql } from '../../../prisma/base/database/load-sql.js';
import { storeLink, type Storage } from '../../support/fixtures/stored-link.js';
import { busiest, simulateDays, type SimulatedDays } from './due-times.js';
import type { Report } from './report.js';
import { queryAt } from '../../support/services/postgres.mjs';

// 1,000,000 links with four refreshes a day: the cost of the statements of the due queue on tables
// of that size, and the distribution of the refreshes when all links were connected in the same
// minute, which is the worst case.
const LINKS = 1_000_000;
const DAYS = 3;
const BATCH = 10;
const LIMIT_MS = 10;
/**
 * Samples of the time a statement takes on the server, without the round trip and the wait for a
 * free core here.
 */
const SERVER_SAMPLES = 150;
const HOUR = 3_600_000;
const POLICY: SchedulePolicy = { intervals: { fast: 6 * HOUR, slow: 7 * 24 * HOUR }, jitter: 0.15 };

const chance = seeded(20260302);

/** @param rounds two ticks each */
export async function measureDueQueue(
  storage: Storage,
  report: Report,
  rounds: number,
): Promise<void> {
  const minutes = rounds * 2;
  const simulated = simulateDays(LINKS, DAYS, POLICY, chance, () => chance() * 60_000);
  // From the first interval on, excluding the part in which the first times start.
  for (const [name, from] of [
    ['from the first refresh on', Math.ceil((6 * 0.15 * HOUR) / 60_000)],
    ['from the second day on', 24 * 60],
  ] as const) {
    const { mean, most, ratio } = busiest(simulated.perMinute, from);
    report.note(
      `spread ${name}`,
      { mean, most, ratio },
      `${name}: ${mean.toFixed(0)} refreshes a minute, the busiest minute ${most} = ${ratio.toFixed(2)} of the mean${ratio <= 2 ? '' : '  MISSED'}`,
    );
  }

  const began = Date.now();
  await fillTables(storage, simulated);
  report.note(
    'filled',
    Date.now() - began,
    `${LINKS.toLocaleString('en')} links with three products each were written in ${((Date.now() - began) / 1000).toFixed(0)} s`,
  );

  const times = new Map<string, number[]>([
    ['due-links-claim', []],
    ['due-links-request', []],
  ]);
  const whole: number[] = [];
  const due = new DueLinkRepository(timed(storage.ctx, times), {
    ...POLICY,
    spreadMs: 60_000,
    chance,
  });
  const start = DAYS * 24 * HOUR;
  let dispatched = 0;
  const perMinute: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    let asked = 0;
    for (;;) {
      const startedAt = performance.now();
      const { claimed, asked: started } = await due.dispatch({
        shard: 0,
        shards: 1,
        limit: BATCH,
        now: moment(start + minute * 60_000),
      });
      whole.push(performance.now() - startedAt);
      asked += started;
      if (claimed < BATCH) break;
    }
    perMinute.push(asked);
    dispatched += asked;
    await settle(storage);
  }
  for (const [name, each] of times) reportTimes(report, `${name}, as the worker sees it`, each);
  for (const [name, each] of await tickOnTheServer(storage, moment(start + (minutes + 1) * 60_000)))
    reportTimes(report, `${name}, on the server`, each);
  reportTimes(report, 'a batch, from BEGIN to COMMIT', whole, null);
  report.note(
    'dispatched',
    { minutes, dispatched, perMinute },
    `${minutes} ticks dispatched ${dispatched} links, ${Math.min(...perMinute)}–${Math.max(...perMinute)} each`,
  );
  const busy = whole.reduce((sum, ms) => sum + ms, 0) / minutes;
  report.note('busy', busy, `a tick takes ${(busy / 1000).toFixed(1)} s of its minute, one shard`);
}

/** Stores links as three days of the schedule would leave them. */
async function fillTables(storage: Storage, simulated: SimulatedDays): Promise<void> {
  const pattern = await storeLink(storage);
  // Rows that may be due are written in batches, so that neither side holds a million rows in one
  // string.
  for (let from = 0; from < LINKS; from += 50_000) {
    const dues = Array.from(simulated.nextDue.subarray(from, from + 50_000), (ms) =>
      moment(ms).toISOString(),
    );
    await run(storage, {
      text: `WITH pattern AS (SELECT * FROM links WHERE pk = $1),
                  made AS (INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, connected_at, next_due_at, slow_due_at, refresh_run)
                           SELECT 'mk_bench_' || ($2::int + n), app_id, environment, client_id, customer_user_pk, institution_id, provider, 'connected', now(), due::timestamptz, now() + interval '100 years', 12
                             FROM pattern, unnest($3::text[]) WITH ORDINALITY AS dues(due, n) RETURNING pk)
             INSERT INTO link_products (link_pk, product, position, required, prefetch, require_permission, extend_history, state, state_changed_at, refreshed_at)
             SELECT pk, product, position, false, true, false, false, 'completed', now(), now()
               FROM made, unnest(ARRAY['accounts', 'identity', 'transactions']) WITH ORDINALITY AS products(product, position)`,
      values: [pattern.pk, from, dues],
    });
  }
  for (const table of ['links', 'link_products'])
    await run(storage, { text: `VACUUM (ANALYZE) ${table}`, values: [] });
}

/** May take longer than a statement of the service. */
async function run(
  { ctx }: Storage,
  { text, values }: { text: string; values: unknown[] },
): Promise<void> {
  const { connectionString } = ctx.database.pool.options;
  await queryAt({ connectionString }, text, values);
}

/** Runs one tick by hand and returns the time PostgreSQL reports for each statement. */
async function tickOnTheServer({ ctx }: Storage, now: Date): Promise<Map<string, number[]>> {
  const noted = new Map<string, number[]>([
    ['due-links-claim', []],
    ['due-links-request', []],
  ]);
  const client = await ctx.database.pool.connect();
  const explained = async (name: 'due-links-claim' | 'due-links-request', values: unknown[]) => {
    const { rows } = await client.query<{ 'QUERY PLAN': { 'Execution Time': number }[] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${loadSql(name)}`,
      values,
    );
    noted.get(name)?.push(rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? Number.NaN);
  };
  try {
    for (let sample = 0; sample < SERVER_SAMPLES; sample += 1) {
      await client.query('BEGIN');
      const batch = [now, 'default', 0, 1, BATCH];
      await explained('due-links-claim', batch);
      const claimed = await client.query<{ pk: string }>(loadSql('due-links-claim'), batch);
      const next = claimed.rows.map(() =>
        new Date(
          now.getTime() + POLICY.intervals.fast * (1 + chance() * POLICY.jitter),
        ).toISOString(),
      );
      await explained('due-links-request', [
        claimed.rows.map(({ pk }) => pk),
        next,
        next,
        next.map(() => 'fast'),
        ['accounts', 'transactions'],
        now,
        next,
      ]);
      await client.query('COMMIT');
      if (claimed.rows.length < BATCH) break;
    }
  } finally {
    client.release(true);
  }
  return noted;
}

/** Performs the work of the relay and the runs before the next tick. Not measured. */
async function settle({ ctx }: Storage): Promise<void> {
  const { pool } = ctx.database;
  await pool.query("UPDATE link_products SET state = 'completed' WHERE state = 'pending'");
  await pool.query('DELETE FROM refresh_requests');
  await pool.query('DELETE FROM outbox_commands');
}

/**
 * Returns the same context, with transactions that record the duration of each statement of the due
 * queue, including the round trip.
 */
function timed(ctx: Context, noted: ReadonlyMap<string, number[]>): Context {
  const nameOf = new Map([...noted.keys()].map((name) => [loadSql(name), name]));
  const watch = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, property, receiver) {
        const value: unknown = Reflect.get(target, property, receiver);
        if (property !== '$queryRawUnsafe') return value;
        return async (text: string, ...values: unknown[]) => {
          const startedAt = performance.now();
          const rows = await target.$queryRawUnsafe(text, ...values);
          noted.get(nameOf.get(text) ?? '')?.push(performance.now() - startedAt);
          return rows;
        };
      },
    });
  return {
    ...ctx,
    database: {
      ...ctx.database,
      transaction: (work) => ctx.database.transaction((tx) => work(watch(tx))),
    },
  };
}

function reportTimes(
  report: Report,
  name: string,
  times: number[],
  limit: number | null = LIMIT_MS,
): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const figures = {
    median: at(0.5),
    p99: at(0.99),
    most: at(1),
    count: sorted.length,
    over: limit === null ? 0 : sorted.filter((ms) => ms > limit).length,
  };
  const goal = limit === null ? '' : `; ${figures.over} of ${figures.count} over ${limit} ms`;
  report.note(
    name,
    figures,
    `${name.padEnd(42)} median ${figures.median.toFixed(1)} ms, 99 % ${figures.p99.toFixed(1)} ms, longest ${figures.most.toFixed(1)} ms${goal}`,
  );
}

function moment(ms: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + ms);
}

/** Returns the same random numbers on every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
