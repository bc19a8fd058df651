import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { pino } from 'pino';
import {
  clientDataConverter,
  workerDataConverter,
} from '../../apps/platform/src/temporal/temporal-client.js';
import { createCommandPerformer } from '../../apps/worker/src/outbox/perform-command.js';
import { StalledRuns } from '../../apps/worker/src/temporal/stalled-runs.js';
import type { OutboxCommand } from '../../prisma/base/outbox/outbox.js';
import {
  LINK_SESSION_WORKFLOW,
  linkSessionStartOptions,
  openSessionUpdate,
} from '../../workflows/session/session.contract.js';
import { productRefreshWorkflowId } from '../../workflows/product-refresh/product-refresh.contract.js';
import { LINKS_QUEUE, providerQueue, SANDBOX_LINKS_QUEUE } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import { TestTemporal } from '../support/services/test-temporal.js';
import { sealedFor } from './support/damaged-payloads.js';
import {
  createFakeRefreshActivities,
  FakeRefresh,
  FETCH_PROVIDER,
  stored,
} from './support/fake-refresh.js';
import { createFakeActivities } from './support/fake-session-activities.js';
import { FAKE_PROVIDER, FakeSession } from './support/fake-session.js';

const HOUR_MS = 3_600_000;
const MASTER_KEYS = [{ id: 'k1', key: Buffer.alloc(32, 7) }] as const;
const UNKNOWN_KEYS = [{ id: 'k9', key: Buffer.alloc(32, 9) }] as const;
/** Temporal loads this file by its path, from the build. */
const COMPILED = fileURLToPath(
  new URL('../../dist/apps/platform/src/temporal/failure-converter.js', import.meta.url),
);
const newId = () => `mk_${randomUUID()}`;
const later = (ms: number) => new Date(Date.now() + ms);

describe('A run that makes no progress', () => {
  let temporal: TestTemporal;
  let service: Client;
  const links = new Map<string, FakeRefresh>();
  const sessions = new Map<string, FakeSession>();
  const ended: string[] = [];

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    service = temporal.clientWith(clientDataConverter(MASTER_KEYS));
    const refresh = createFakeRefreshActivities(links);
    const session = createFakeActivities(sessions);
    const withoutWorkflows = true;
    await temporal.startWorkers(
      [
        { taskQueue: LINKS_QUEUE, activities: refresh.links },
        { taskQueue: SANDBOX_LINKS_QUEUE, activities: session.links },
        { taskQueue: providerQueue(FETCH_PROVIDER), activities: refresh.bank, withoutWorkflows },
        { taskQueue: providerQueue(FAKE_PROVIDER), activities: session.bank, withoutWorkflows },
      ],
      { dataConverter: { ...workerDataConverter(MASTER_KEYS), failureConverterPath: COMPILED } },
    );
  });
  afterAll(() => temporal.close());

  /** The view of a worker that has worked for a day, `afterMs` from now. */
  const stalledRuns = (afterMs: number, workingSince: Date | null = later(-24 * HOUR_MS)) =>
    new StalledRuns({
      client: service,
      stalledAfterMs: HOUR_MS,
      clock: () => later(afterMs),
      workingSince: () => workingSince,
      logger: pino({ enabled: false }),
      onEnded: (workflow) => ended.push(workflow),
    });
  const perform = (command: OutboxCommand, runs: StalledRuns) =>
    createCommandPerformer({
      client: service,
      deliveries: { describe: () => Promise.resolve(null) },
      environmentOf: () => Promise.resolve('sandbox' as const),
      subjectOf: () => Promise.resolve(undefined),
      refresh: { fetchRetryForMs: HOUR_MS, fetchRetryForSandboxMs: HOUR_MS, firstRetryMs: 1 },
      deletion: { firstRetryMs: 1, longestRetryMs: 1 },
      erasure: { firstWaitMs: 1, longestWaitMs: 1 },
      delivery: { attemptTimeoutMs: 1_000, retryMs: 1 },
      publishKey: () => Promise.resolve(),
      stalledRuns: runs,
    })(command);

  const sending = (payload: Payload): Client =>
    new Client({
      connection: temporal.client.connection,
      namespace: temporal.namespace,
      dataConverter: {
        payloadCodecs: [
          {
            encode: async (payloads) => payloads.map(() => payload),
            decode: async (payloads) => payloads,
          },
        ],
      },
    });

  /** A Signal under a key that an operator may still add, so the workflow task is repeated. */
  async function stall(handle: WorkflowHandle): Promise<void> {
    const { workflowId } = handle;
    const payload = await sealedFor(UNKNOWN_KEYS, temporal.namespace, workflowId, 'stalled');
    await sending(payload).workflow.getHandle(workflowId).signal('exchanged', 'stalled');
    await eventually(async () => {
      const { raw } = await temporal.client.workflow.getHandle(workflowId).describe();
      expect(raw.pendingWorkflowTask?.attempt).toBeGreaterThan(1);
    });
  }

  /** The refresh of a link whose bank responds when `release` is called. */
  async function refreshing() {
    const link = new FakeRefresh(newId());
    links.set(link.linkId, link);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    link.bank = {
      accounts: [
        async (signal) => {
          await released;
          return stored(signal);
        },
      ],
    };
    link.requests.push('accounts');
    const command = { kind: 'startProductRefresh', linkId: link.linkId } as const;
    await perform(command, stalledRuns(0));
    await eventually(() => expect(link.calls).not.toEqual([]));
    const handle = service.workflow.getHandle(productRefreshWorkflowId(link.linkId));
    const { runId } = await handle.describe();
    return { link, handle, runId, release, command: { ...command, overdue: true } as const };
  }

  it('is terminated after an hour, and the work of its overdue row continues in a new run', async () => {
    const { link, handle, runId, release, command } = await refreshing();
    await stall(handle);
    const statusOf = async (id: string) =>
      (await service.workflow.getHandle(handle.workflowId, id).describe()).status.name;
    await perform(command, stalledRuns(HOUR_MS / 2));
    expect(await statusOf(runId)).toBe('RUNNING');

    link.requests.push('accounts');
    link.inProgress.clear();
    release();
    await perform(command, stalledRuns(2 * HOUR_MS));
    expect(await statusOf(runId)).toBe('TERMINATED');
    expect(await handle.result()).toEqual({ runs: 1 });
    expect((await handle.describe()).runId).not.toBe(runId);
    expect(ended).toContain('productRefresh');
  });

  it('is not terminated by a worker that has not worked for an hour itself', async () => {
    const { handle, runId, release, command } = await refreshing();
    await stall(handle);
    await perform(command, stalledRuns(2 * HOUR_MS, later(HOUR_MS + HOUR_MS / 2)));
    await perform(command, stalledRuns(2 * HOUR_MS, null));
    expect((await handle.describe()).runId).toBe(runId);
    release();
    await handle.terminate();
  });

  it('is not a run that waits for a bank, however long', async () => {
    const { handle, runId, release, command } = await refreshing();
    await eventually(async () => {
      const { raw } = await handle.describe();
      expect({
        pendingWorkflowTask: Boolean(raw.pendingWorkflowTask),
        pendingActivities: raw.pendingActivities?.length,
      }).toEqual({ pendingWorkflowTask: false, pendingActivities: 1 });
    });
    await perform(command, stalledRuns(1_000 * HOUR_MS));
    release();
    await handle.result();
    expect((await handle.describe()).runId).toBe(runId);
  });

  it.each([
    ['a workflow that does not exist', 'intruder', LINKS_QUEUE],
    ['a workflow on a task queue that no one polls', 'productRefresh', 'intruder'],
  ])('under the id of a link is terminated at once when it is %s', async (_, type, taskQueue) => {
    const link = new FakeRefresh(newId());
    links.set(link.linkId, link);
    link.bank = { accounts: [stored] };
    link.requests.push('accounts');
    const workflowId = productRefreshWorkflowId(link.linkId);
    await sending({ data: Buffer.from('{') }).workflow.start(type, {
      workflowId,
      taskQueue,
      args: [],
      memo: { damaged: true },
    });
    await perform(
      { kind: 'startProductRefresh', linkId: link.linkId, overdue: true },
      stalledRuns(0),
    );
    expect(await service.workflow.getHandle(workflowId).result()).toEqual({ runs: 1 });
  });

  it('is found by the sweeper when it is a session, and one that waits for its user is kept', async () => {
    const open = async () => {
      const sessionId = `ses_${randomUUID()}`;
      sessions.set(sessionId, new FakeSession());
      const options = linkSessionStartOptions({
        sessionId,
        softReplyMs: 5_000,
        appId: 'demo',
        environment: 'sandbox',
      });
      await service.workflow.executeUpdateWithStart(openSessionUpdate, {
        args: [],
        startWorkflowOperation: new WithStartWorkflowOperation(LINK_SESSION_WORKFLOW, {
          ...options,
          args: options.args,
        }),
      });
      return service.workflow.getHandle(options.workflowId);
    };
    const [waiting, stuck] = [await open(), await open()];
    await stall(stuck);
    await eventually(async () => {
      await stalledRuns(2 * HOUR_MS).sweep(later(2 * HOUR_MS));
      expect((await stuck.describe()).status.name).toBe('TERMINATED');
    });
    expect((await waiting.describe()).status.name).toBe('RUNNING');
    await waiting.terminate();
  });
});
