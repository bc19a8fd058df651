import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { KeyActivities } from '../../activities/keys/key-activities.js';
import { RotationSchedule } from '../../apps/worker/src/schedules/rotation-schedule.js';
import {
  rotationOf,
  SIGNING_KEY_ROTATION_WORKFLOW,
  SIGNING_KEY_SCHEDULE,
  signingKeyRotationStartOptions,
} from '../../workflows/signing-key-rotation/signing-key-rotation.contract.js';
import { LINKS_QUEUE } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import { historyText, recordStory, TestTemporal } from '../support/services/test-temporal.js';
import { PASSES } from './support/passes.js';
import { differencesOf } from './support/replay-live.js';

/** The rows of the keys, as far as the workflow sees them. */
class FakeKeys {
  published: { rotation: string; at: number }[] = [];
  /** Of rotations that are due. */
  times = new Map<string, { leadMs: number; overlapMs: number }>();
  erasedAt: number[] = [];
  failures = 0;

  readonly activities: KeyActivities = {
    publishNextKey: async ({ rotation }) => {
      if (this.failures > 0) {
        this.failures -= 1;
        throw new Error('the database is away');
      }
      const times = this.times.get(rotation) ?? this.times.get('any');
      if (times === undefined) return null;
      const { leadMs, overlapMs } = times;
      this.published.push({ rotation, at: Date.now() });
      return {
        kid: `kid-of-${rotation}`,
        activeInMs: leadMs,
        settledInMs: leadMs + overlapMs,
      };
    },
    eraseRetiredKeys: async () => {
      this.erasedAt.push(Date.now());
      return 1;
    },
  };
}

describe.each(PASSES)('signingKeyRotation, %s', (pass, maxCachedWorkflows) => {
  let temporal: TestTemporal;
  const keys = new FakeKeys();
  const handles: WorkflowHandle[] = [];
  beforeAll(async () => {
    temporal = await TestTemporal.open();
    await temporal.startWorkers([{ taskQueue: LINKS_QUEUE, activities: keys.activities }], {
      maxCachedWorkflows,
    });
  });
  afterAll(() => temporal.close());

  async function begin(
    times?: { leadMs: number; overlapMs: number },
    rotation: string = randomUUID(),
  ): Promise<WorkflowHandle> {
    if (times !== undefined) keys.times.set(rotation, times);
    const handle = await temporal.client.workflow.start(
      SIGNING_KEY_ROTATION_WORKFLOW,
      signingKeyRotationStartOptions(rotation),
    );
    handles.push(handle);
    return handle;
  }
  const record = async (handle: WorkflowHandle, story: string) => {
    if (pass === 'with its cache') await recordStory(handle, 'signing-key-rotation', story);
  };

  it('publishes, waits for lead and overlap, then erases', async () => {
    const handle = await begin({ leadMs: 300, overlapMs: 400 }, 'asked-for');
    expect(await handle.result()).toEqual({ kid: 'kid-of-asked-for' });
    expect(keys.published).toMatchObject([{ rotation: 'asked-for' }]);
    expect((keys.erasedAt[0] ?? 0) - (keys.published[0]?.at ?? 0)).toBeGreaterThanOrEqual(690);
    await record(handle, 'rotated');
  });

  it('is the same rotation when it is started twice', async () => {
    const before = keys.published.length;
    const [one, two] = await Promise.all([
      begin({ leadMs: 200, overlapMs: 1 }, 'once'),
      begin({ leadMs: 200, overlapMs: 1 }, 'once'),
    ]);
    await Promise.all([one.result(), two.result()]);
    expect(new Set(keys.published.slice(before).map(({ rotation }) => rotation))).toEqual(
      new Set(['once']),
    );
  });

  it('ends without a change when no rotation is due', async () => {
    const [published, erased] = [keys.published.length, keys.erasedAt.length];
    const handle = await begin(undefined, 'uninvited');
    expect(await handle.result()).toEqual({ kid: null });
    expect({ published: keys.published.length, erasedAt: keys.erasedAt.length }).toEqual({
      published,
      erasedAt: erased,
    });
  });

  it('retries while the database is down', async () => {
    keys.failures = 2;
    const handle = await begin({ leadMs: 1, overlapMs: 1 });
    await handle.result();
  });

  it('stops waiting when it is cancelled', async () => {
    const handle = await begin({ leadMs: 60_000, overlapMs: 60_000 }, 'cancelled');
    await eventually(() => {
      expect(keys.published.map(({ rotation }) => rotation)).toContain('cancelled');
    });
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
  });

  it('has no key in its history and replays deterministically', async () => {
    expect(handles.length).toBeGreaterThan(3);
    expect(await differencesOf(handles)).toEqual([]);
    for (const handle of handles)
      expect(await historyText(handle)).not.toMatch(/"d"|privateJwk|sealed/);
  });
});

describe('The Schedule of signingKeyRotation on a real server', () => {
  let temporal: TestTemporal;
  const keys = new FakeKeys();
  keys.times.set('any', { leadMs: 1, overlapMs: 60_000 });
  beforeAll(async () => {
    temporal = await TestTemporal.open();
    await temporal.startWorkers([{ taskQueue: LINKS_QUEUE, activities: keys.activities }]);
  });
  afterAll(() => temporal.close());

  it('starts a rotation on time, even while the previous one waits for its overlap', async () => {
    const schedule = () =>
      new RotationSchedule({
        client: temporal.client,
        everyMs: 1_000,
      });
    const made = await Promise.all([schedule().ensure(), schedule().ensure()]);
    expect(made[0] + made[1]).toBe(1);
    await eventually(() => {
      expect(new Set(keys.published.map(({ rotation }) => rotation)).size).toBeGreaterThan(2);
    });
    expect(keys.erasedAt).toEqual([]);
    const handle = temporal.client.schedule.getHandle(SIGNING_KEY_SCHEDULE);
    const { action } = await handle.describe();
    expect(rotationOf(action.workflowId)).toBe('scheduled');

    await handle.pause('by an operator');
    expect(
      await new RotationSchedule({
        client: temporal.client,
        everyMs: 5_000,
      }).ensure(),
    ).toBe(0);
    expect(await handle.describe()).toMatchObject({
      spec: { intervals: [{ every: 5_000 }] },
      state: { paused: true },
    });
  });
});
