import { randomUUID } from 'node:crypto';
import {
  Client,
  WithStartWorkflowOperation,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { clientDataConverter } from '../../apps/platform/src/temporal/temporal-client.js';
import { WorkerPayloadCodec } from '../../apps/platform/src/temporal/worker-payload-codec.js';
import { AggregationSchedules } from '../../apps/worker/src/schedules/aggregation-schedules.js';
import {
  exchangedSignal,
  LINK_SESSION_WORKFLOW,
  linkSessionStartOptions,
  openSessionUpdate,
  submitStepUpdate,
} from '../../workflows/session/session.contract.js';
import {
  PERIODIC_AGGREGATION_WORKFLOW,
  periodicAggregationId,
} from '../../workflows/periodic-aggregation/periodic-aggregation.contract.js';
import { LINKS_QUEUE, providerQueue, SANDBOX_LINKS_QUEUE } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import { TestTemporal } from '../support/services/test-temporal.js';
import { createFakeActivities } from './support/fake-session-activities.js';
import { FAKE_PROVIDER, FakeSession } from './support/fake-session.js';

const DAY_MS = 86_400_000;
const MASTER_KEYS = [{ id: 'k1', key: Buffer.alloc(32, 7) }] as const;

/** Sends payloads unchanged, like a client that copied them from a history. */
const COPYING = {
  payloadCodecs: [
    {
      encode: async (payloads: Payload[]) =>
        payloads.map(({ data }) => copied.get(text(data)) as Payload),
      decode: async (payloads: Payload[]) => payloads,
    },
  ],
};
const copied = new Map<string, Payload>();
const text = (data: Uint8Array | null | undefined) => Buffer.from(data ?? []).toString();

describe('A client of the Temporal server without the master keys', () => {
  let temporal: TestTemporal;
  let service: Client;
  let stranger: Client;
  let copier: Client;
  const sessions = new Map<string, FakeSession>();
  const ticks: unknown[] = [];

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    service = temporal.clientWith(clientDataConverter(MASTER_KEYS));
    copier = temporal.clientWith(COPYING);
    stranger = temporal.client;
    const { links, bank } = createFakeActivities(sessions);
    const aggregation = {
      dispatchDueLinks: async (input: unknown) => {
        ticks.push(input);
        return { claimed: 0, asked: 0, more: false };
      },
    };
    await temporal.startWorkers(
      [
        { taskQueue: LINKS_QUEUE, activities: aggregation },
        { taskQueue: SANDBOX_LINKS_QUEUE, activities: links },
        { taskQueue: providerQueue(FAKE_PROVIDER), activities: bank, withoutWorkflows: true },
      ],
      { dataConverter: { payloadCodecs: [new WorkerPayloadCodec(MASTER_KEYS)] } },
    );
  });
  afterAll(() => temporal.close());

  const session = () => {
    const sessionId = `ses_${randomUUID()}`;
    sessions.set(sessionId, new FakeSession());
    return linkSessionStartOptions({
      sessionId,
      softReplyMs: 5_000,
      appId: 'demo',
      environment: 'sandbox',
    });
  };

  /** A session whose workflow the service itself has started. */
  async function opened() {
    const options = session();
    const [{ sessionId }] = options.args;
    const startWorkflowOperation = new WithStartWorkflowOperation(LINK_SESSION_WORKFLOW, {
      ...options,
      args: options.args,
    });
    await service.workflow.executeUpdateWithStart(openSessionUpdate, {
      args: [],
      startWorkflowOperation,
    });
    return {
      workflowId: options.workflowId,
      row: sessions.get(sessionId) as FakeSession,
      handle: service.workflow.getHandle(options.workflowId),
    };
  }

  async function whyItFailed(handle: WorkflowHandle): Promise<string | undefined> {
    const own = service.workflow.getHandle(handle.workflowId);
    const error = await own.result().catch((failure: unknown) => failure);
    return error instanceof WorkflowFailedError ? error.cause?.message : String(error);
  }

  async function argumentsOf(handle: WorkflowHandle): Promise<Payload> {
    const { events } = await handle.fetchHistory();
    const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
    if (input === undefined) throw new Error('the workflow has no arguments');
    return input as Payload;
  }

  it('starts no workflow with its own arguments', async () => {
    const options = session();
    const handle = await stranger.workflow.start(LINK_SESSION_WORKFLOW, options);
    expect(await whyItFailed(handle)).toContain('not made for this workflow');
    expect(sessions.get(options.args[0].sessionId)?.calls).toEqual([]);
  });

  it('starts no workflow without the arguments that it needs', async () => {
    const { args: _, ...options } = session();
    const handle = await stranger.workflow.start(LINK_SESSION_WORKFLOW, { ...options, args: [] });
    expect(await whyItFailed(handle)).toContain('cannot be started without arguments');
  });

  it('starts no workflow with arguments copied from the history of another', async () => {
    const { handle: of, row } = await opened();
    copied.set('"copied"', await argumentsOf(of));
    const calls = row.calls.length;
    const handle = await copier.workflow.start(LINK_SESSION_WORKFLOW, {
      ...session(),
      args: ['copied'],
      staticSummary: undefined,
      staticDetails: undefined,
    });
    expect(await whyItFailed(handle)).toContain('not made for this workflow');
    expect(row.calls.length).toBe(calls);
  });

  it('changes nothing in a running workflow, which continues', async () => {
    const { workflowId, handle, row } = await opened();
    const foreign = stranger.workflow.getHandle(workflowId);
    const submission = {
      seq: 1,
      requestId: randomUUID(),
      input: { kind: 'select_institution', institution_id: 'bank' },
    } as const;
    await foreign.signal('exchanged', 'plain');
    const rejection = foreign.executeUpdate(submitStepUpdate, { args: [submission] });
    await expect(rejection).rejects.toThrow();
    await expect(foreign.query('__stack_trace', 'plain')).rejects.toThrow('binary/encrypted');
    expect(row.steps).toEqual(['select_institution']);

    await handle.executeUpdate(submitStepUpdate, { args: [submission] });
    await eventually(() => expect(row.steps.at(-1)).toBe('success'));
    await handle.signal(exchangedSignal);
    expect(await handle.result()).toEqual({ outcome: 'exchanged' });
  });

  it('leaves Schedules working, and a Schedule that it changed is created again', async () => {
    const schedules = () =>
      new AggregationSchedules({ client: service, tickMs: DAY_MS, shards: 1 });
    await schedules().ensure();
    const handle = service.schedule.getHandle(periodicAggregationId(0));
    await handle.trigger();
    await eventually(() => expect(ticks[0]).toMatchObject({ shard: 0, shards: 1 }));

    await stranger.schedule.getHandle(periodicAggregationId(0)).delete();
    await stranger.schedule.create({
      scheduleId: periodicAggregationId(0),
      spec: { intervals: [{ every: '1 hour' }] },
      action: {
        type: 'startWorkflow',
        workflowType: PERIODIC_AGGREGATION_WORKFLOW,
        workflowId: periodicAggregationId(0),
        taskQueue: LINKS_QUEUE,
        args: [{ shard: 0, shards: 1_000, batch: 1, maxRounds: 1 }],
      },
    });
    await schedules().ensure();
    const { action, spec } = await handle.describe();
    expect(spec.intervals).toEqual([expect.objectContaining({ every: DAY_MS })]);
    expect(action.args).toMatchObject([{ shards: 1 }]);
  });
});
