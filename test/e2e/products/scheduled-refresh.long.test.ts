import { Connection } from '@temporalio/client';
import { periodicAggregationId } from '../../../workflows/periodic-aggregation/periodic-aggregation.contract.js';
import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';

let service: Standalone;
let app: AppBackEnd;
let truth: StoredTruth;
let connection: Connection;

beforeAll(async () => {
  // The bank's day must not end during the test, because pending transactions post at its end.
  const bankNow = { SANDBOX_BANK_NOW: new Date().toISOString() };
  service = await Standalone.start({
    env: {
      ...bankNow,
      AGGREGATION_TICK: '1s',
      AGGREGATION_SHARDS: '2',
      REFRESH_INTERVAL: '3s',
      REFRESH_INTERVAL_SLOW: '30d',
    },
  });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  truth = new StoredTruth(() => service.info.database_url);
  connection = await Connection.connect({ address: service.info.temporal_address });
});

afterAll(async () => {
  await connection?.close();
  await service?.dispose();
});

const refreshedAt = async (linkId: string, product: string) =>
  (await app.link(linkId)).products[product]?.refreshed_at ?? null;
const untilRefreshedAfter = (linkId: string, product: string, earlier: string | null) =>
  eventually(async () => {
    const now = await refreshedAt(linkId, product);
    if (now === null || now === earlier)
      throw new Error(`${product} was last refreshed at ${earlier}`);
    return now;
  });

it('The schedule refreshes a link repeatedly, including a product that was never fetched', async () => {
  const { linkId, exchanged } = await linkInstantBank(app, {
    products_settings: { transactions: { prefetch: false }, identity: { prefetch: false } },
  });
  expect(exchanged.link.products['transactions']?.refreshed_at).toBeNull();
  const first = await untilRefreshedAfter(linkId, 'transactions', null);
  await untilRefreshedAfter(linkId, 'identity', null);
  const identity = await refreshedAt(linkId, 'identity');
  const second = await untilRefreshedAfter(linkId, 'transactions', first);
  await untilRefreshedAfter(linkId, 'transactions', second);
  // seven days have not passed
  expect(await refreshedAt(linkId, 'identity')).toBe(identity);
  // link-lifecycle 7.5: the first aggregation is announced, a scheduled one without changes is not
  const story = await truth.story(linkId);
  expect(
    story.filter((event) => event.startsWith('transactions completed')).length,
  ).toBeGreaterThan(2);
  expect(story.filter((event) => event.startsWith('transactions.updates_available'))).toHaveLength(
    1,
  );
});

it('The schedule has one Temporal Schedule per shard, and stops for a link that needs its owner', async () => {
  const { schedules } = await connection.workflowService.listSchedules({
    namespace: service.info.temporal_namespace,
  });
  const aggregation = schedules
    .map(({ scheduleId }) => scheduleId ?? '')
    .filter((id) => id.startsWith('periodic-aggregation/'));
  expect(aggregation.sort()).toEqual([periodicAggregationId(0), periodicAggregationId(1)]);
  const { linkId } = await linkInstantBank(app);
  await untilRefreshedAfter(linkId, 'accounts', await refreshedAt(linkId, 'accounts'));
  await app.call('POST', `/links/${linkId}/reset`);
  expect(
    await truth.rows('SELECT next_due_at, slow_due_at FROM links WHERE link_id = $1', [linkId]),
  ).toEqual([{ next_due_at: null, slow_due_at: null }]);
});
