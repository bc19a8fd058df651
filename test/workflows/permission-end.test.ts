import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { failureOf } from '../../activities/failures.js';
import type { PermissionActivities } from '../../activities/sandbox/permission-activities.js';
import { createCommandPerformer } from '../../apps/worker/src/outbox/perform-command.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { permissionEndWorkflowId } from '../../workflows/permission-end/permission-end.contract.js';
import { LINKS_QUEUE, providerQueue } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import { recordStory, TestTemporal } from '../support/services/test-temporal.js';
import { PASSES } from './support/passes.js';

const PROVIDER = 'fake';
let made = 0;

describe.each(PASSES)('permissionEnd, %s', (pass, maxCachedWorkflows) => {
  let temporal: TestTemporal;
  let announced: string[];
  let forgotten: string[];
  /** The responses of the bank: each call uses the next entry, and then succeeds. */
  let refusals: ProviderFailure[];

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const activities: PermissionActivities = {
      endPermission: async ({ linkId }) => {
        announced.push(linkId);
        const refusal = refusals.shift();
        if (refusal !== undefined) throw failureOf(refusal);
      },
      forgetEndOfPermission: async ({ linkId }) => {
        forgotten.push(linkId);
      },
    };
    await temporal.startWorkers(
      [
        { taskQueue: LINKS_QUEUE, activities },
        { taskQueue: providerQueue(PROVIDER), activities, withoutWorkflows: true },
      ],
      { maxCachedWorkflows },
    );
  });
  beforeEach(() => {
    announced = [];
    forgotten = [];
    refusals = [];
  });
  afterAll(() => temporal.close());

  const record = (handle: WorkflowHandle, story: string) =>
    pass === 'with its cache' ? recordStory(handle, 'permission-end', story) : undefined;
  const perform = () =>
    createCommandPerformer({
      client: temporal.client,
      deliveries: { describe: () => Promise.resolve(null) },
      environmentOf: () => Promise.resolve(undefined),
      subjectOf: () => Promise.resolve(undefined),
      refresh: { fetchRetryForMs: 1_000, fetchRetryForSandboxMs: 1_000, firstRetryMs: 10 },
      deletion: { firstRetryMs: 10, longestRetryMs: 100 },
      erasure: { firstWaitMs: 1_000, longestWaitMs: 1_000 },
      publishKey: () => Promise.resolve(),
      delivery: { attemptTimeoutMs: 5_000, retryMs: 50 },
    });

  async function reset(): Promise<{
    linkId: string;
    handle: WorkflowHandle;
    again: () => Promise<void>;
  }> {
    made += 1;
    const permission = {
      linkId: `mk_${made}`,
      provider: PROVIDER,
      dueAt: '2026-03-02T10:00:00.000Z',
    };
    const again = () => perform()({ kind: 'endPermission', ...permission });
    await again();
    return {
      linkId: permission.linkId,
      handle: temporal.client.workflow.getHandle(permissionEndWorkflowId(permission)),
      again,
    };
  }

  it('ends the permission at the bank', async () => {
    const { linkId, handle } = await reset();
    await handle.result();
    expect({ announced, forgotten }).toEqual({ announced: [linkId], forgotten: [] });
    await record(handle, 'announced');
  });

  it('retries until the bank responds, and a repeated command changes nothing', async () => {
    refusals = [new ProviderFailure('institution_down', 'away')];
    const { linkId, handle, again } = await reset();
    await again();
    await handle.result();
    expect({ announced, forgotten }).toEqual({ announced: [linkId, linkId], forgotten: [] });
  });

  it('stops at a failure that no retry can fix', async () => {
    refusals = [new ProviderFailure('not_supported', 'unknown here')];
    const { linkId, handle } = await reset();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect({ announced, forgotten }).toEqual({ announced: [linkId], forgotten: [linkId] });
  });

  it('can be canceled by an operator', async () => {
    refusals = Array.from({ length: 30 }, () => new ProviderFailure('institution_down', 'away'));
    const { linkId, handle } = await reset();
    await eventually(async () => expect(announced).not.toEqual([]));
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(forgotten).toEqual([linkId]);
    await record(handle, 'cancelled');
  });
});
