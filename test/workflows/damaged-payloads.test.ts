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
import { catalogueSyncId } from '../../workflows/catalogue-sync/catalogue-sync.contract.js';
import { linkDeletionWorkflowId } from '../../workflows/link-deletion/link-deletion.contract.js';
import {
  linkSessionWorkflowId,
  reauthenticationWorkflowId,
} from '../../workflows/session/session.contract.js';
import { periodicAggregationId } from '../../workflows/periodic-aggregation/periodic-aggregation.contract.js';
import { productRefreshWorkflowId } from '../../workflows/product-refresh/product-refresh.contract.js';
import { providerWebhookWorkflowId } from '../../workflows/provider-webhook/provider-webhook.contract.js';
import { sandboxControlWorkflowId } from '../../workflows/sandbox-control/sandbox-control.contract.js';
import { signingKeyRotationWorkflowId } from '../../workflows/signing-key-rotation/signing-key-rotation.contract.js';
import {
  LINKS_QUEUE,
  providerQueue,
  SANDBOX_QUEUE,
  WEBHOOKS_QUEUE,
  WORLDS_QUEUE,
} from '../../workflows/task-queues.js';
import { userErasureWorkflowId } from '../../workflows/user-erasure/user-erasure.contract.js';
import { WORKFLOW_VERSIONING } from '../../workflows/versioning.js';
import { webhookDeliveryWorkflowId } from '../../workflows/webhook-delivery/webhook-delivery.contract.js';
import { eventually } from '../support/assertions/eventually.js';
import { failedTasks, TestTemporal } from '../support/services/test-temporal.js';
import { damagedPayloads } from './support/damaged-payloads.js';

const MASTER_KEYS = [{ id: 'k1', key: Buffer.alloc(32, 7) }] as const;
/** Temporal loads this file by its path, from the build. */
const COMPILED = fileURLToPath(
  new URL('../../dist/apps/platform/src/temporal/failure-converter.js', import.meta.url),
);
const PROVIDER = 'bank';

type WorkflowType = keyof typeof WORKFLOW_VERSIONING;

interface Workflow {
  id: (suffix: string) => string;
  input: (suffix: string) => unknown;
  /**
   * The results of its activities. Those of banks, which a stranger can complete by their id, come
   * last.
   */
  results: Readonly<Record<string, unknown>>;
  /**
   * The activity that a stranger completes, and the subsequent result or failure of the workflow.
   */
  ended?: { activity: string; then: 'repeated' | 'failed' };
  /** The last activity before it waits for messages, if it is not the first. */
  waitsAfter?: string;
  messages?: { signals?: readonly string[]; updates?: readonly string[] };
}

const session = {
  input: (sessionId: string) => ({ sessionId, softReplyMs: 60_000 }),
  results: {
    loadSession: {
      state: 'open',
      seq: 0,
      phase: 'unopened',
      lastStep: null,
      question: null,
      questions: [],
      isExtension: false,
      hasGrant: false,
      presetInstitutionId: 'bank',
      institutionId: 'bank',
      mayChooseAnother: false,
      login: null,
      stepExpiresInMs: null,
    },
    beginLogin: {
      linkId: 'mk_1',
      provider: PROVIDER,
      institutionId: 'bank',
      attemptKey: 'a',
      mayRepeat: true,
    },
    finishLinking: { state: 'succeeded', lookAgainInMs: null, link: null },
    openBankLogin: { kind: 'linked', accounts: 1, questions: [] },
  },
  ended: { activity: 'openBankLogin', then: 'repeated' as const },
  waitsAfter: 'expireIfDue',
  messages: {
    signals: ['exchanged', 'sessionEnded'],
    updates: ['openSession', 'submitStep', 'exitSession'],
  },
};

const plan = {
  linkId: 'mk_1',
  run: 'run_1',
  remoteId: 'remote',
  appId: 'demo',
  joined: [],
  provider: PROVIDER,
  institutionId: 'bank',
  environment: 'live',
  products: [{ product: 'accounts', window: null, attempt: 'try_1' }],
};

/** All workflows of the service, with the results of their activities. */
const WORKFLOWS: Readonly<Record<WorkflowType, Workflow>> = {
  linkSession: { id: linkSessionWorkflowId, ...session },
  reauthentication: { id: reauthenticationWorkflowId, ...session },
  productRefresh: {
    id: productRefreshWorkflowId,
    input: (linkId) => ({
      linkId,
      fetchRetryForMs: 600_000,
      fetchRetryForSandboxMs: 600_000,
      firstRetryMs: 1,
    }),
    results: { beginRefreshRun: plan, retryProduct: 'try_2', fetchProduct: { kind: 'stored' } },
    ended: { activity: 'fetchProduct', then: 'repeated' },
    messages: { signals: ['refreshRequested'] },
  },
  linkDeletion: {
    id: linkDeletionWorkflowId,
    input: (linkId) => ({ linkId, firstRetryMs: 1, longestRetryMs: 1 }),
    results: {
      planDeletion: {
        appId: 'demo',
        environment: 'sandbox',
        institutionId: 'bank',
        deleted: false,
        revocations: [{ revocationId: 'rev_1', provider: PROVIDER, giveUpInMs: 600_000 }],
      },
      revokePermission: { kind: 'revoked' },
    },
    ended: { activity: 'revokePermission', then: 'repeated' },
    messages: { signals: ['deletionRequested'] },
  },
  webhookDelivery: {
    id: webhookDeliveryWorkflowId,
    input: (deliveryId) => ({
      deliveryId,
      endpointHost: 'app.example',
      webhookEvent: 'link.product_refresh',
      attemptTimeoutMs: 60_000,
      retryMs: 1,
    }),
    results: { attemptDelivery: 'delivered' },
    ended: { activity: 'attemptDelivery', then: 'repeated' },
  },
  permissionEnd: {
    id: (linkId) => `permission-end/${linkId}/0`,
    input: (linkId) => ({ linkId, provider: PROVIDER, dueAt: '2026-01-01T00:00:00Z' }),
    results: { endPermission: null },
    ended: { activity: 'endPermission', then: 'repeated' },
  },
  providerWebhook: {
    id: providerWebhookWorkflowId,
    input: (webhookId) => ({ webhookId, provider: PROVIDER }),
    results: { readProviderWebhook: null },
    ended: { activity: 'readProviderWebhook', then: 'repeated' },
  },
  catalogueSync: {
    id: catalogueSyncId,
    input: () => ({ configuration: PROVIDER, acceptLosses: false }),
    results: { syncCatalogue: { kind: 'switched' } },
    ended: { activity: 'syncCatalogue', then: 'repeated' },
  },
  // An answer to a bank, or a change at one, is not repeated: the row stays for the next run.
  sandboxControl: {
    id: sandboxControlWorkflowId,
    input: (requestId) => ({ requestId, action: { kind: 'request' } }),
    results: { performSandboxRequest: null },
    ended: { activity: 'performSandboxRequest', then: 'failed' },
  },
  userErasure: {
    id: userErasureWorkflowId,
    input: (erasureId) => ({ erasureId, firstWaitMs: 1, longestWaitMs: 1 }),
    results: { advanceErasure: 'done' },
  },
  periodicAggregation: {
    id: (shard) => periodicAggregationId(Number.parseInt(shard, 36)),
    input: () => ({ shard: 0, shards: 1, batch: 1, mostRounds: 1 }),
    results: { dispatchDueLinks: { claimed: 0, asked: 0, more: false } },
  },
  signingKeyRotation: {
    id: signingKeyRotationWorkflowId,
    input: () => undefined,
    results: { publishNextKey: null },
  },
};
const types = Object.keys(WORKFLOWS) as WorkflowType[];
const ended = types.filter((type) => WORKFLOWS[type].ended !== undefined);
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
    for (const [damage, payload] of await damages(id(newName()))) {
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
    for (const [damage, payload] of await damages(handle.workflowId)) {
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
        (await damages('')).map(async ([damage]) => {
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
