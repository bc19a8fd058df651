import type { SchedulePolicy } from '../../../domain/refresh/refresh-schedule.js';
import type { Context } from '../../../prisma/base/context.js';
import type { Tx } from '../../../prisma/base/database/tx.js';
import { DueLinkRepository } from '../../../prisma/work/refresh/due-link.repository.js';
import { loadSql } from '../../../prisma/base/database/load-sql.js';
import { storeLink, type Storage } from '../../support/fixtures/stored-link.js';
import { busiest, simulateDays, type SimulatedDays } from './due-times.js';
import type { Report } from './report.js';
import { seededRandom } from '../../support/runner/seeded-random.js';
import { queryAt } from '../../support/services/postgres.mjs';

// 1,000,000 links with four refreshes a day: the cost of the statements of the due queue on tables
// of that size, and the distribution of the refreshes when all links were connected in the same
// minute, which is the worst case.
const LINKS = 1_000_000;
const DAYS = 3;
const BATCH = 10;
const LIMIT_MS = 10;
/** Batches whose statements are also measured on the server. */
const SERVER_SAMPLES = 150;
const HOUR = 3_600_000;
const POLICY: SchedulePolicy = { intervals: { fast: 6 * HOUR, slow: 7 * 24 * HOUR }, jitter: 0.15 };

const chance = seededRandom(20260302);

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

  const [times, onServer] = [timesByStatement(), timesByStatement()];
  const whole: number[] = [];
  const start = DAYS * 24 * HOUR;
  const dispatcher = (measure: Measure) =>
    new DueLinkRepository(watched(storage.ctx, measure), { ...POLICY, spreadMs: 60_000, chance });
  /** @returns the number of links whose refresh was requested */
  const tick = async (due: DueLinkRepository, minute: number, batches = Infinity) => {
    let requested = 0;
    for (let batch = 0; batch < batches; batch += 1) {
      const startedAt = performance.now();
      const { claimed, asked } = await due.dispatch({
        shard: 0,
        shards: 1,
        limit: BATCH,
        now: moment(start + minute * 60_000),
      });
      whole.push(performance.now() - startedAt);
      requested += asked;
      if (claimed < BATCH) break;
    }
    await settle(storage);
    return requested;
  };
  const due = dispatcher(async (name, statement) => {
    const startedAt = performance.now();
    const rows = await statement();
    times.get(name)?.push(performance.now() - startedAt);
    return rows;
  });
  const perMinute: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) perMinute.push(await tick(due, minute));
  const batchTimes = whole.splice(0);
  const explaining = dispatcher(async (name, statement, explain) => {
    onServer.get(name)?.push(await explain());
    return statement();
  });
  await tick(explaining, minutes + 1, SERVER_SAMPLES);
  for (const [name, each] of times) reportTimes(report, `${name}, as the worker sees it`, each);
  for (const [name, each] of onServer) reportTimes(report, `${name}, on the server`, each);
  reportTimes(report, 'a batch, from BEGIN to COMMIT', batchTimes, null);
  const dispatched = perMinute.reduce((sum, count) => sum + count, 0);
  report.note(
    'dispatched',
    { minutes, dispatched, perMinute },
    `${minutes} ticks dispatched ${dispatched} links, ${Math.min(...perMinute)}–${Math.max(...perMinute)} each`,
  );
  const busy = batchTimes.reduce((sum, ms) => sum + ms, 0) / minutes;
  report.note('busy', busy, `a tick takes ${(busy / 1000).toFixed(1)} s of its minute, one shard`);
}

const timesByStatement = () =>
  new Map<string, number[]>([
    ['due-links-claim', []],
    ['due-links-request', []],
  ]);

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

/** Performs the work of the relay and the runs before the next tick. Not measured. */
async function settle({ ctx }: Storage): Promise<void> {
  const { pool } = ctx.database;
  await pool.query("UPDATE link_products SET state = 'completed' WHERE state = 'pending'");
  await pool.query('DELETE FROM refresh_requests');
  await pool.query('DELETE FROM outbox_commands');
}

/**
 * @param explain executes the statement and takes its effects back
 * @returns the rows of the statement
 */
type Measure = (
  name: string,
  statement: () => Promise<unknown>,
  explain: () => Promise<number>,
) => Promise<unknown>;

/** The same context, with transactions that have each statement of the due queue measured. */
function watched(ctx: Context, measure: Measure): Context {
  const nameOf = new Map([...timesByStatement().keys()].map((name) => [loadSql(name), name]));
  const watch = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, property, receiver) {
        const value: unknown = Reflect.get(target, property, receiver);
        if (property !== '$queryRawUnsafe') return value;
        return (text: string, ...values: unknown[]) => {
          const statement = () => target.$queryRawUnsafe(text, ...values);
          const name = nameOf.get(text);
          return name === undefined
            ? statement()
            : measure(name, statement, () => executionTime(target, text, values));
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

/** Milliseconds that PostgreSQL reports, without the round trip and the wait for a free core here. */
async function executionTime(tx: Tx, text: string, values: unknown[]): Promise<number> {
  await tx.$executeRawUnsafe('SAVEPOINT explained');
  const [row] = await tx.$queryRawUnsafe<{ 'QUERY PLAN': { 'Execution Time': number }[] }[]>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    ...values,
  );
  await tx.$executeRawUnsafe('ROLLBACK TO SAVEPOINT explained');
  return row?.['QUERY PLAN'][0]?.['Execution Time'] ?? Number.NaN;
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
