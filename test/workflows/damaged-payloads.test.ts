import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { activityInfo, heartbeat, sleep } from '@temporalio/activity';
import {
  AsyncCompletionClient,
  Client,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import { ApplicationFailure, type Payload } from '@temporalio/common';
import {
  clientDataConverter,
  workerDataConverter,
} from '../../apps/platform/src/temporal/temporal-client.js';
import {
  LINKS_QUEUE,
  providerQueue,
  SANDBOX_QUEUE,
  WEBHOOKS_QUEUE,
  WORLDS_QUEUE,
} from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import { failedTasks, TestTemporal } from '../support/services/test-temporal.js';
import { representatives } from '../support/runner/representatives.js';
import { damagedPayloads } from './support/damaged-payloads.js';
import { PROVIDER, WORKFLOWS } from './support/workflow-table.js';
import type { WorkflowType } from '../../workflows/workflow-list.contract.js';

const MASTER_KEYS = [{ id: 'k1', key: Buffer.alloc(32, 7) }] as const;
/** Temporal loads this file by its path, from the build. */
const COMPILED = fileURLToPath(
  new URL('../../dist/apps/platform/src/temporal/failure-converter.js', import.meta.url),
);
type Damages = readonly (readonly [string, Payload])[];

const types = Object.keys(WORKFLOWS) as WorkflowType[];
/** One whose activity is repeated in a loop, one that is continued, and one that ends. */
const ended = representatives(
  types.filter((type) => WORKFLOWS[type].ended !== undefined),
  (type) => ['linkSession', 'productRefresh', 'sandboxControl'].includes(type),
);
/** Every damage to one workflow; to the others in npm test two, since one guard refuses them all. */
const damagesTo = (type: WorkflowType, all: Damages): Damages =>
  representatives(
    all,
    ([damage]) =>
      type === 'productRefresh' || ['a changed ciphertext', 'plain text'].includes(damage),
  );
const listening = types.filter((type) => WORKFLOWS[type].messages !== undefined);
const newName = () => randomUUID().replaceAll('-', '').slice(0, 12);

describe('A damaged payload from a client without the master keys', () => {
  let temporal: TestTemporal;
  let service: Client;
  /**
   * The activities that were started, by their workflow. Those of banks wait as long as they are
   * held.
   */
  const calls = new Map<string, string[]>();
  const held = new Set<string>();
  const callsOf = (workflowId: string): string[] => calls.get(workflowId) ?? [];

  async function perform(): Promise<unknown> {
    const { activityType, workflowExecution, workflowType, isLocal } = activityInfo();
    const workflowId = workflowExecution?.workflowId ?? '';
    calls.set(workflowId, [...callsOf(workflowId), activityType]);
    while (!isLocal && held.has(workflowId)) {
      heartbeat();
      await sleep(50);
    }
    const { results } = WORKFLOWS[workflowType as WorkflowType];
    if (activityType in results) {
      if (!isRepeatedPlan(workflowId, activityType)) return results[activityType];
      return null;
    }
    return { state: 'open', lookAgainInMs: null, link: null };
  }
  /** There is work for one run. */
  const isRepeatedPlan = (workflowId: string, activity: string): boolean =>
    activity === 'beginRefreshRun' &&
    callsOf(workflowId).filter((call) => call === activity).length > 1;

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    service = temporal.clientWith(clientDataConverter(MASTER_KEYS));
    const activities = { default: perform };
    await temporal.startWorkers(
      [
        { taskQueue: LINKS_QUEUE, activities },
        ...[providerQueue(PROVIDER), SANDBOX_QUEUE, WORLDS_QUEUE, WEBHOOKS_QUEUE].map(
          (taskQueue) => ({ taskQueue, activities, withoutWorkflows: true }),
        ),
      ],
      { dataConverter: { ...workerDataConverter(MASTER_KEYS), failureConverterPath: COMPILED } },
    );
  });
  afterAll(() => temporal.close());

  /** Sends `payload` in place of every payload. */
  const sending = (payload: Payload) => ({
    payloadCodecs: [
      {
        encode: async (payloads: Payload[]) => payloads.map(() => payload),
        decode: async (payloads: Payload[]) => payloads,
      },
    ],
  });
  const strangerWith = (payload: Payload): Client => temporal.clientWith(sending(payload));

  async function start(type: WorkflowType) {
    const { id, input } = WORKFLOWS[type];
    const name = newName();
    const workflowId = id(name);
    const argument = input(name);
    held.add(workflowId);
    const handle = await service.workflow.start(type, {
      workflowId,
      taskQueue: LINKS_QUEUE,
      args: argument === undefined ? [] : [argument],
    });
    return handle;
  }

  const damages = (workflowId: string) =>
    damagedPayloads(MASTER_KEYS, temporal.namespace, workflowId);

  async function refusalOf(handle: WorkflowHandle): Promise<string | null | undefined> {
    const error: unknown = await service.workflow
      .getHandle(handle.workflowId)
      .result()
      .catch((failure: unknown) => failure);
    if (!(error instanceof WorkflowFailedError)) return String(error);
    return error.cause instanceof ApplicationFailure ? error.cause.type : error.cause?.message;
  }

  it.each(types)('starts no %s, and calls none of its activities', async (type) => {
    const { id } = WORKFLOWS[type];
    const workflowIds: string[] = [];
    for (const [damage, payload] of damagesTo(type, await damages(id(newName())))) {
      const workflowId = id(newName());
      const [, own] = (await damages(workflowId)).find(([name]) => name === damage) ?? [];
      workflowIds.push(workflowId);
      const handle = await strangerWith(own ?? payload).workflow.start(type, {
        workflowId,
        taskQueue: LINKS_QUEUE,
        args: ['damaged'],
      });
      expect({ damage, refusal: await refusalOf(handle) }).toEqual({
        damage,
        refusal: 'InputRefused',
      });
      expect(await failedTasks(handle)).toEqual([]);
    }
    expect(workflowIds.flatMap(callsOf)).toEqual([]);
  });

  it.each(listening)('does not change a running %s by a Signal or an Update', async (type) => {
    const { signals = [], updates = [] } = WORKFLOWS[type].messages ?? {};
    const handle = await start(type);
    const { waitsAfter = expect.any(String) as unknown } = WORKFLOWS[type];
    await eventually(() => expect(callsOf(handle.workflowId)).toContainEqual(waitsAfter));
    const before = [...callsOf(handle.workflowId)];
    for (const [damage, payload] of damagesTo(type, await damages(handle.workflowId))) {
      const foreign = strangerWith(payload).workflow.getHandle(handle.workflowId);
      for (const signal of signals) await foreign.signal(signal, 'damaged');
      for (const update of updates)
        expect({
          damage,
          outcome: await foreign.executeUpdate(update, { args: ['damaged'] }).then(
            () => 'accepted',
            () => 'refused',
          ),
        }).toEqual({ damage, outcome: 'refused' });
    }
    for (const update of updates.filter((name) => name !== 'openSession'))
      await expect(
        strangerWith({}).workflow.getHandle(handle.workflowId).executeUpdate(update, { args: [] }),
      ).rejects.toThrow();
    expect(await failedTasks(handle)).toEqual([]);
    expect((await handle.describe()).status.name).toBe('RUNNING');
    if (updates.length > 0) expect(callsOf(handle.workflowId)).toEqual(before);
    await handle.terminate();
  });

  it.each(ended.flatMap((type) => [[type, 'completes'] as const, [type, 'fails'] as const]))(
    'is not accepted as the result of any activity of %s that it %s',
    async (type, deed) => {
      const { activity, then } = WORKFLOWS[type].ended ?? { activity: '', then: 'failed' };
      const count = (handle: WorkflowHandle) =>
        callsOf(handle.workflowId).filter((call) => call === activity).length;
      await Promise.all(
        damagesTo(type, await damages('')).map(async ([damage]) => {
          const handle = await start(type);
          if (type === 'linkSession' || type === 'reauthentication')
            void service.workflow
              .getHandle(handle.workflowId)
              .executeUpdate('openSession', { args: [] })
              .catch(() => undefined);
          await eventually(() => expect(count(handle)).toBe(1));
          const [, payload] =
            (await damages(handle.workflowId)).find(([name]) => name === damage) ?? [];
          const pending = (await handle.describe()).raw.pendingActivities ?? [];
          const activityId = pending[0]?.activityId ?? '';
          const stranger = new AsyncCompletionClient({
            connection: temporal.client.connection,
            namespace: temporal.namespace,
            dataConverter: sending(payload as Payload),
          });
          const target = { workflowId: handle.workflowId, activityId };
          if (deed === 'completes') await stranger.complete(target, 'damaged');
          else
            await stranger.fail(
              target,
              ApplicationFailure.nonRetryable('forged', 'consent_revoked', 'damaged'),
            );
          if (then === 'failed') {
            held.delete(handle.workflowId);
            await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
          } else {
            await eventually(() =>
              expect({ damage, count: count(handle) }).toEqual({ damage, count: 2 }),
            );
            held.delete(handle.workflowId);
            if (type !== 'linkSession') await handle.result();
            else
              await eventually(() => expect(callsOf(handle.workflowId)).toContain('finishLinking'));
          }
          expect(await failedTasks(handle)).toEqual([]);
          expect(callsOf(handle.workflowId)).not.toEqual(
            expect.arrayContaining([expect.stringMatching(/^(giveUp|forget|fail|stop)/)]),
          );
        }),
      );
    },
  );
});
