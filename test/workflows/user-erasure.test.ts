import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type {
  ErasureActivities,
  ErasureProgress,
} from '../../activities/deletion/erasure-activities.js';
import { LINKS_QUEUE } from '../../workflows/task-queues.js';
import {
  USER_ERASURE_WORKFLOW,
  userErasureStartOptions,
} from '../../workflows/user-erasure/user-erasure.contract.js';
import {
  failedTasks,
  recordStory,
  TestTemporal,
  timersFired,
} from '../support/services/test-temporal.js';
import { PASSES } from './support/passes.js';

describe.each(PASSES)('userErasure, %s', (pass, maxCachedWorkflows) => {
  let temporal: TestTemporal;
  const steps = new Map<string, (ErasureProgress | Error)[]>();

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const activities: ErasureActivities = {
      async advanceErasure({ erasureId }) {
        const next = steps.get(erasureId)?.shift() ?? 'done';
        if (next instanceof Error) throw next;
        return next;
      },
    };
    await temporal.startWorkers([{ taskQueue: LINKS_QUEUE, activities }], { maxCachedWorkflows });
  });
  afterAll(() => temporal.close());

  function start(progress: (ErasureProgress | Error)[]): Promise<WorkflowHandle> {
    const erasureId = randomUUID();
    steps.set(erasureId, progress);
    return temporal.client.workflow.start(
      USER_ERASURE_WORKFLOW,
      userErasureStartOptions({ erasureId, firstWaitMs: 20, longestWaitMs: 50 }),
    );
  }
  const erasureIdOf = ({ workflowId }: WorkflowHandle) => workflowId.slice('user-erasure/'.length);
  const record = (handle: WorkflowHandle, story: string) =>
    pass === 'with its cache' ? recordStory(handle, 'user-erasure', story) : undefined;

  it('takes steps until nothing remains', async () => {
    const handle = await start(['more', 'more', 'done']);
    await handle.result();
    expect(steps.get(erasureIdOf(handle))).toEqual([]);
    expect(await timersFired(handle)).toBe(0);
    expect(await failedTasks(handle)).toEqual([]);
  });

  it('checks again later while a bank has to end a permission, also after a failed step', async () => {
    const handle = await start([
      'more',
      'waiting',
      new Error('the database is away'),
      'waiting',
      'waiting',
      'more',
      'done',
    ]);
    await handle.result();
    expect(steps.get(erasureIdOf(handle))).toEqual([]);
    expect(await timersFired(handle)).toBe(3);
    expect(await failedTasks(handle)).toEqual([]);
    await record(handle, 'bank-away');
  });

  it('is one workflow however often it is started', async () => {
    const handle = await start(['waiting', 'done']);
    const again = await temporal.client.workflow.start(
      USER_ERASURE_WORKFLOW,
      userErasureStartOptions({
        erasureId: erasureIdOf(handle),
        firstWaitMs: 20,
        longestWaitMs: 50,
      }),
    );
    expect(again.workflowId).toBe(handle.workflowId);
    await again.result();
    expect(steps.get(erasureIdOf(handle))).toEqual([]);
  });
});
