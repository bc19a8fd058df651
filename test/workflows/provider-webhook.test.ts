import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { failureOf } from '../../activities/failures.js';
import type { ProviderWebhookActivities } from '../../activities/provider-webhooks/provider-webhook-activities.js';
import { ProviderFailure, type ProviderCause } from '../../domain/errors/provider-failure.js';
import {
  PROVIDER_WEBHOOK_WORKFLOW,
  providerWebhookStartOptions,
} from '../../workflows/provider-webhook/provider-webhook.contract.js';
import { providerQueue, SANDBOX_LINKS_QUEUE } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import {
  failedTasks,
  historyText,
  recordStory,
  searchAttributesOf,
  TestTemporal,
} from '../support/services/test-temporal.js';
import { PASSES } from './support/passes.js';

const PROVIDER = 'fake';

describe.each(PASSES)('providerWebhook, %s', (pass, maxCachedWorkflows) => {
  let temporal: TestTemporal;
  let calls: string[];
  /** The errors that reading throws: each call uses the next entry, then it succeeds. */
  let refusals: Error[];

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const activities: ProviderWebhookActivities = {
      async readProviderWebhook({ webhookId, provider }) {
        calls.push(`read ${webhookId} of ${provider}`);
        const refusal = refusals.shift();
        if (refusal !== undefined) throw failureOf(refusal);
      },
      async applyProviderWebhook({ webhookId }) {
        calls.push(`apply ${webhookId}`);
      },
      async giveUpProviderWebhook({ webhookId }) {
        calls.push(`give up ${webhookId}`);
      },
    };
    await temporal.startWorkers(
      [
        { taskQueue: SANDBOX_LINKS_QUEUE, activities },
        { taskQueue: providerQueue(PROVIDER), activities, withoutWorkflows: true },
      ],
      { maxCachedWorkflows },
    );
  });
  beforeEach(() => {
    calls = [];
    refusals = [];
  });
  afterAll(() => temporal.close());

  const record = (handle: WorkflowHandle, story: string) =>
    pass === 'with its cache' ? recordStory(handle, 'provider-webhook', story) : undefined;
  const start = (webhookId: string): Promise<WorkflowHandle> =>
    temporal.client.workflow.start(
      PROVIDER_WEBHOOK_WORKFLOW,
      providerWebhookStartOptions({ webhookId, provider: PROVIDER, environment: 'sandbox' }),
    );
  const failing = (cause: ProviderCause) => new ProviderFailure(cause, 'canary-of-remote-text');

  it('reads a webhook on the queue of its provider, then applies it', async () => {
    const id = randomUUID();
    const handle = await start(id);
    await handle.result();
    expect(calls).toEqual([`read ${id} of fake`, `apply ${id}`]);
    expect(await searchAttributesOf(handle)).toMatchObject({
      Provider: ['fake'],
      Environment: ['sandbox'],
    });
    expect(await failedTasks(handle)).toEqual([]);
  });

  it('reads it again while the source is unavailable, and is one workflow however often it is started', async () => {
    refusals = [failing('provider_down')];
    const id = randomUUID();
    const handle = await start(id);
    await start(id);
    await handle.result();
    expect(calls).toEqual([`read ${id} of fake`, `read ${id} of fake`, `apply ${id}`]);
    expect(await historyText(handle)).not.toContain('canary-of-remote-text');
    await record(handle, 'applied-later');
  });

  it('abandons it at a failure that no retry can fix', async () => {
    refusals = [failing('not_supported')];
    const id = randomUUID();
    const handle = await start(id);
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(calls).toEqual([`read ${id} of fake`, `give up ${id}`]);
  });

  it('can be canceled by an operator, which drops the webhook', async () => {
    refusals = Array.from({ length: 30 }, () => failing('provider_down'));
    const id = randomUUID();
    const handle = await start(id);
    await eventually(() => expect(calls).not.toEqual([]));
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    // An attempt that had just started may still read.
    const others = calls.filter((call) => !call.startsWith('read '));
    expect(others).toEqual([`give up ${id}`]);
    await record(handle, 'cancelled');
  });
});
