import type { Context as ActivityContext } from '@temporalio/activity';
import type { Context } from '../../../../prisma/base/context.js';
import { PROVIDER_CAUSES } from '../../../../domain/errors/provider-failure.js';
import { PRODUCTS } from '../../../../domain/link/products.js';
import { RequestMetrics } from '../../../../apps/api/src/operator/request-metrics.js';
import { LABELS } from '../../../../apps/platform/src/metrics/label-table.js';
import { METRICS } from '../../../../apps/platform/src/metrics/metric-table.js';
import type { MetricRow } from '../../../../apps/platform/src/metrics/metric-row.js';
import { createWorkerMetrics } from '../../../../apps/worker/src/metrics/worker-metrics.js';
import { parseScrape } from '../../../support/metrics/scrape.js';

const MAX_SERIES = 3_000;
const INSTITUTIONS = 500;
const PROVIDERS = ['sandbox', 'bank-directory', 'simple', 'pilot'];
const OPERATIONS = [
  'begin',
  'advance',
  'poll',
  'startRedirect',
  'completeRedirect',
  'check',
].concat(['fetchAccounts', 'fetchTransactions', 'fetchAccountNumbers', 'fetchIdentity', 'revoke']);

describe('The table of labels', () => {
  it('lists every label of every metric, with its maximum number of values', () => {
    const used = Object.values<MetricRow>(METRICS).flatMap(({ labels }) => labels);
    expect([...new Set([...used, 'le'])].sort()).toEqual(Object.keys(LABELS).sort());
  });

  it('has no label for an id of a customer, an address or a text', () => {
    const forbidden =
      /(^|_)(id|ids|url|address|host|ip|email|name|message|text|endpoint|client|user|link|session|event|delivery)($|_)/;
    expect(Object.keys(LABELS).filter((label) => forbidden.test(label))).toEqual([]);
  });
});

describe('The number of series', () => {
  it('of an API whose routes all responded in seven ways stays below 3,000', async () => {
    const metrics = new RequestMetrics();
    for (let route = 0; route < 100; route += 1)
      for (const status of [200, 400, 401, 404, 429, 500, 503])
        metrics.observe({ method: 'GET', route: `/route-${route}/:id`, status }, 0.1);
    expect(await seriesOf(metrics)).toBeLessThan(MAX_SERIES);
  });

  it('of a worker stays below 3,000 when fetches failed for every cause at 500 institutions', async () => {
    const worker = await busyWorker(INSTITUTIONS);
    const series = await seriesOf(worker);
    expect(series).toBeGreaterThan(INSTITUTIONS);
    expect(series).toBeLessThan(MAX_SERIES);
  });

  it('does not grow with further institutions: they are counted as one', async () => {
    const worker = await busyWorker(3 * INSTITUTIONS);
    expect(await seriesOf(worker)).toBeLessThan(MAX_SERIES);
    const { series } = parseScrape(await worker.registry.metrics());
    const others = [...series].filter(([name]) => name.includes('institution="other"'));
    expect(others.reduce((sum, [, count]) => sum + count, 0)).toBe(2 * INSTITUTIONS);
  });
});

async function seriesOf({ registry }: Pick<RequestMetrics, 'registry'>): Promise<number> {
  return parseScrape(await registry.metrics()).series.size;
}

/**
 * A worker that has seen every activity, provider, operation, product and cause, and the same
 * number of failing institutions.
 */
async function busyWorker(institutions: number) {
  const pool = { totalCount: 1, idleCount: 1, waitingCount: 0, options: { max: 5 } };
  const away = { ...pool, query: () => Promise.reject(new Error('away')) };
  const ctx = { database: { pool: away, hot: away }, clock: () => new Date() };
  // Only the parts that metrics use. Readings of the database fail.
  const worker = createWorkerMetrics(ctx as unknown as Context);
  for (let institution = 0; institution < institutions; institution += 1)
    worker.observe.refresh({
      provider: PROVIDERS[institution % PROVIDERS.length] ?? '',
      product: 'accounts',
      outcome: PROVIDER_CAUSES[institution % PROVIDER_CAUSES.length] ?? 'internal',
      institutionId: `bank-${institution}`,
    });
  for (const provider of PROVIDERS) {
    for (const product of PRODUCTS)
      worker.observe.refresh({ provider, product, outcome: 'completed' });
    for (const operation of OPERATIONS)
      for (const outcome of ['ok', 'aborted', ...PROVIDER_CAUSES.slice(0, 6)] as const)
        worker.observe.call({ provider, remoteId: null, operation, outcome, seconds: 1 });
  }
  for (let activity = 0; activity < LABELS.activity.atMost; activity += 1) {
    const info = { activityType: `activity_${activity}` };
    const { inbound } = worker.activities({ info } as ActivityContext);
    const run = (next: () => Promise<unknown>) =>
      inbound?.execute?.({ args: [], headers: {} }, next).catch(() => undefined);
    await run(() => Promise.resolve());
    await run(() => Promise.reject(new Error('failed')));
  }
  for (let task = 0; task < 30; task += 1) worker.onSwept(`task_${task}`, 1);
  for (const status of ['delivered', 'pending', 'exhausted', 'disabled'] as const)
    for (const format of ['native', 'plaid'] as const)
      worker.observe.attempt({ format, attempt: 2, status });
  return worker;
}
