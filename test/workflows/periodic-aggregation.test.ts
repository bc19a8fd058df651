import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type {
  AggregationActivities,
  DueLinksOfShard,
} from '../../activities/refresh/aggregation-activities.js';
import { AggregationSchedules } from '../../apps/worker/src/schedules/aggregation-schedules.js';
import {
  PERIODIC_AGGREGATION_WORKFLOW,
  periodicAggregationId,
  type PeriodicAggregationInput,
  type PeriodicAggregationResult,
} from '../../workflows/periodic-aggregation/periodic-aggregation.contract.js';
import { LINKS_QUEUE } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import { recordStory, TestTemporal } from '../support/services/test-temporal.js';
import { PASSES } from './support/passes.js';
import { differencesOf } from './support/replay-live.js';

/** The due links of each shard, as the database would claim them. */
class FakeQueue {
  waiting = new Map<number, number>();
  calls: DueLinksOfShard[] = [];
  hold: Promise<void> | undefined;
  failures = 0;

  readonly activities: AggregationActivities = {
    dispatchDueLinks: async (batch) => {
      this.calls.push(batch);
      await this.hold;
      if (this.failures > 0) {
        this.failures -= 1;
        throw new Error('the database is away');
      }
      const claimed = Math.min(batch.batch, this.waiting.get(batch.shard) ?? 0);
      this.waiting.set(batch.shard, (this.waiting.get(batch.shard) ?? 0) - claimed);
      return { claimed, asked: Math.floor(claimed / 2), more: claimed === batch.batch };
    },
  };
}

describe.each(PASSES)('periodicAggregation, %s', (pass, maxCachedWorkflows) => {
  let temporal: TestTemporal;
  const queue = new FakeQueue();
  const handles: WorkflowHandle[] = [];
  beforeAll(async () => {
    temporal = await TestTemporal.open();
    await temporal.startWorkers([{ taskQueue: LINKS_QUEUE, activities: queue.activities }], {
      maxCachedWorkflows,
    });
  });
  afterAll(() => temporal.close());

  async function tick(
    input: Partial<PeriodicAggregationInput> = {},
    story?: string,
  ): Promise<PeriodicAggregationResult> {
    const handle = await temporal.client.workflow.start(PERIODIC_AGGREGATION_WORKFLOW, {
      workflowId: `${periodicAggregationId(input.shard ?? 0)}-${randomUUID()}`,
      taskQueue: LINKS_QUEUE,
      args: [{ shard: 0, shards: 1, batch: 10, maxRounds: 5, ...input }],
    });
    handles.push(handle);
    const result = (await handle.result()) as PeriodicAggregationResult;
    if (story !== undefined && pass === 'with its cache')
      await recordStory(handle, 'periodic-aggregation', story);
    return result;
  }

  it('collects round by round until no link is due', async () => {
    queue.waiting.set(0, 25);
    queue.calls = [];
    expect(await tick({}, 'three-rounds')).toEqual({ claimed: 25, asked: 12 });
    expect(queue.calls).toEqual(
      Array.from({ length: 3 }, () => ({ shard: 0, shards: 1, batch: 10 })),
    );
  });

  it('has nothing to do when nothing is due', async () => {
    expect(await tick()).toEqual({ claimed: 0, asked: 0 });
  });

  it('leaves links that are too many for one tick to the next', async () => {
    queue.waiting.set(0, 200);
    expect(await tick()).toMatchObject({ claimed: 50 });
    expect(await tick({ maxRounds: 500 })).toMatchObject({ claimed: 150 });
  });

  it('retries while the database is down', async () => {
    queue.waiting.set(3, 5);
    queue.failures = 2;
    expect(await tick({ shard: 3, shards: 4 })).toMatchObject({ claimed: 5 });
  });

  it('replays deterministically', async () => {
    expect(handles.length).toBeGreaterThan(3);
    expect(await differencesOf(handles)).toEqual([]);
  });
});

describe('The Schedules of periodicAggregation on a real server', () => {
  let temporal: TestTemporal;
  const queue = new FakeQueue();
  beforeAll(async () => {
    temporal = await TestTemporal.open();
    await temporal.startWorkers([{ taskQueue: LINKS_QUEUE, activities: queue.activities }]);
  });
  afterAll(() => temporal.close());

  const schedules = (options: { tickMs: number; shards: number }) =>
    new AggregationSchedules({ client: temporal.client, ...options });
  const known = async () => {
    const ids = [];
    for await (const { scheduleId } of temporal.client.schedule.list()) ids.push(scheduleId);
    return ids.sort();
  };

  it('start one workflow of each shard at a time, on schedule', async () => {
    expect(await schedules({ tickMs: 1_000, shards: 2 }).ensure()).toBe(2);
    await eventually(() => {
      for (const shard of [0, 1])
        expect(queue.calls.filter((call) => call.shard === shard).length).toBeGreaterThan(2);
    });
    expect(new Set(queue.calls.map(({ shards }) => shards))).toEqual(new Set([2]));
    // A tick that lasts longer than the interval is not joined by another.
    let release: () => void = () => undefined;
    queue.hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    const infoOf = async () =>
      (await temporal.client.schedule.getHandle(periodicAggregationId(0)).describe()).info;
    const before = (await infoOf()).numActionsSkippedOverlap;
    await eventually(async () => {
      const { numActionsSkippedOverlap, runningActions } = await infoOf();
      expect(runningActions.length).toBeLessThanOrEqual(1);
      expect(numActionsSkippedOverlap).toBeGreaterThan(before + 1);
    });
    release();
    queue.hold = undefined;
    const { action, policies } = await temporal.client.schedule
      .getHandle(periodicAggregationId(0))
      .describe();
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 120_000 });
    expect(action.workflowId).toMatch(/^periodic-aggregation\/0/);
  });

  it('follow the settings when a worker starts again, keep a pause, and are restored when they are missing', async () => {
    await temporal.client.schedule.getHandle(periodicAggregationId(0)).pause('by an operator');
    const again = schedules({ tickMs: 3_000, shards: 3 });
    await Promise.all([again.ensure(), schedules({ tickMs: 3_000, shards: 3 }).ensure()]);
    await eventually(async () => {
      expect(await known()).toEqual([0, 1, 2].map(periodicAggregationId));
    });
    const { spec, state } = await temporal.client.schedule
      .getHandle(periodicAggregationId(0))
      .describe();
    expect(spec.intervals).toMatchObject([{ every: 3_000 }]);
    expect(state).toMatchObject({ paused: true, note: 'by an operator' });

    await temporal.client.schedule.getHandle(periodicAggregationId(1)).delete();
    expect(await again.ensure()).toBe(1);
    expect(await again.ensure()).toBe(0);
    await schedules({ tickMs: 3_000, shards: 1 }).ensure();
    await eventually(async () => {
      expect(await known()).toEqual([periodicAggregationId(0)]);
    });
  });
});
