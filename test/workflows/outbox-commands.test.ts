import { Client, Connection } from '@temporalio/client';
import { createCommandPerformer } from '../../apps/worker/src/outbox/perform-command.js';
import type { DueDelivery } from '../../prisma/announcements/webhooks/due-delivery.js';
import type { DeliveryDescription } from '../../prisma/announcements/webhooks/webhook-delivery.repository.js';
import { endedSignal, LINK_SESSION_WORKFLOW } from '../../workflows/session/session.contract.js';
import { linkDeletionWorkflowId } from '../../workflows/link-deletion/link-deletion.contract.js';
import { permissionEndWorkflowId } from '../../workflows/permission-end/permission-end.contract.js';
import { productRefreshWorkflowId } from '../../workflows/product-refresh/product-refresh.contract.js';
import {
  SIGNING_KEY_ROTATION_WORKFLOW,
  signingKeyRotationWorkflowId,
} from '../../workflows/signing-key-rotation/signing-key-rotation.contract.js';
import { webhookDeliveryWorkflowId } from '../../workflows/webhook-delivery/webhook-delivery.contract.js';
import { eventually } from '../support/assertions/eventually.js';
import { TestTemporal } from '../support/services/test-temporal.js';

const SECRET_PATH = '/hooks/canary-path?key=canary-query';
const DELIVERY: DueDelivery = {
  pk: 1n,
  deliveryId: 'whd_m3FPBVqADyP2iKxUFgN4KL',
  url: `https://app.example${SECRET_PATH}`,
  endpoint: 'https://app.example:443',
  attempt: 2,
  firstAttemptAt: new Date(0),
  shiftMs: 0,
  eventId: 'evt_zzA99ZMHfK86BMcJvTJ8ht',
  linkId: 'mk_rEhksmcWQTnydVaHJ7FT6N',
  webhookEvent: 'link.product_refresh',
  idempotencyKey: 'canary-key',
  appId: 'pocket-ledger',
  environment: 'sandbox',
  format: 'native',
  body: '{"canary":"body"}',
  sealedBody: null,
  traceId: null,
};

describe('Commands of the outbox', () => {
  let temporal: TestTemporal;
  const rows = new Map<string, DeliveryDescription>();

  beforeAll(async () => {
    temporal = await TestTemporal.open();
  });
  afterAll(() => temporal.close());

  /** Rotations whose key was published. */
  const published: string[] = [];
  const performerFor = (client: Client, deadlineMs?: number) =>
    createCommandPerformer({
      client,
      deliveries: { describe: (deliveryId) => Promise.resolve(rows.get(deliveryId) ?? null) },
      subjectOf: (linkId) =>
        Promise.resolve({
          appId: 'pocket-ledger',
          environment: linkId.startsWith('mk_sandbox') ? 'sandbox' : 'live',
          institutionId: 'fake-bank',
          provider: 'fake',
          products: ['accounts'],
        }),
      environmentOf: (linkId) =>
        Promise.resolve(linkId.startsWith('mk_sandbox') ? 'sandbox' : 'live'),
      refresh: { fetchRetryForMs: 1_000, fetchRetryForSandboxMs: 1_000, firstRetryMs: 10 },
      deletion: { firstRetryMs: 10, longestRetryMs: 100 },
      erasure: { firstWaitMs: 1_000, longestWaitMs: 1_000 },
      publishKey: async (rotation) => published.push(rotation),
      delivery: { attemptTimeoutMs: 5_000, retryMs: 50 },
      deadlineMs,
    });
  const perform = (command: Parameters<ReturnType<typeof performerFor>>[0]) =>
    performerFor(temporal.client)(command);
  const deliveryRow = (deliveryId: string, status: DeliveryDescription['status']) => {
    rows.set(deliveryId, {
      deliveryId,
      status,
      url: `https://app.example:8443${SECRET_PATH}`,
      webhookEvent: 'link.state_changed',
      linkId: DELIVERY.linkId,
      appId: 'pocket-ledger',
      environment: 'live',
    });
    return deliveryId;
  };
  const runsOf = async (workflowId: string) => {
    const found = [];
    for await (const execution of temporal.client.workflow.list({
      query: `WorkflowId = '${workflowId}'`,
    }))
      found.push(execution);
    return found;
  };

  it('start a delivery workflow once, however often they run', async () => {
    const deliveryId = deliveryRow('whd_twice', 'pending');
    const workflowId = webhookDeliveryWorkflowId(deliveryId);
    await perform({ kind: 'startWebhookDelivery', deliveryId });
    await perform({ kind: 'startWebhookDelivery', deliveryId });
    await eventually(async () => expect(await runsOf(workflowId)).toHaveLength(1));
    const description = await temporal.client.workflow.getHandle(workflowId).describe();
    expect(await description.staticSummary()).toBe('link.state_changed to app.example:8443');
    expect(JSON.stringify(description.raw)).not.toContain('canary');

    // The history of an open delivery is lost: the same command starts the delivery again.
    await temporal.client.workflow.getHandle(workflowId).terminate();
    await perform({ kind: 'startWebhookDelivery', deliveryId });
    await eventually(async () =>
      expect((await runsOf(workflowId)).map(({ status }) => status.name).sort()).toEqual([
        'RUNNING',
        'TERMINATED',
      ]),
    );
  });

  it('start nothing for a delivery that has finished or is unknown', async () => {
    for (const deliveryId of [deliveryRow('whd_done', 'delivered'), 'whd_unknown']) {
      await perform({ kind: 'startWebhookDelivery', deliveryId });
      await expect(
        temporal.client.workflow.getHandle(webhookDeliveryWorkflowId(deliveryId)).describe(),
      ).rejects.toThrow(/not found/i);
    }
  });

  it('end a delivery workflow, and treat a missing one as finished', async () => {
    const deliveryId = deliveryRow('whd_replaced', 'pending');
    await perform({ kind: 'startWebhookDelivery', deliveryId });
    const handle = temporal.client.workflow.getHandle(webhookDeliveryWorkflowId(deliveryId));
    await perform({ kind: 'endWebhookDelivery', deliveryId });
    expect(
      (await handle.fetchHistory()).events?.filter(
        (event) => event.workflowExecutionCancelRequestedEventAttributes,
      ),
    ).toHaveLength(1);
    await handle.terminate();
    await perform({ kind: 'endWebhookDelivery', deliveryId });
    await perform({ kind: 'endWebhookDelivery', deliveryId: 'whd_unknown' });
  });

  it('signal one refresh workflow per link', async () => {
    const command = { kind: 'startProductRefresh', linkId: 'mk_refreshed' } as const;
    await perform(command);
    await perform(command);
    const handle = temporal.client.workflow.getHandle(productRefreshWorkflowId('mk_refreshed'));
    const signals = (await handle.fetchHistory()).events?.filter(
      (event) => event.workflowExecutionSignaledEventAttributes,
    );
    expect(signals).toHaveLength(2);
  });

  it('start the workflows of Sandbox links on a queue of their own', async () => {
    for (const [linkId, queue] of [
      ['mk_sandbox', 'links-sandbox'],
      ['mk_live', 'links'],
    ] as const) {
      await perform({ kind: 'startProductRefresh', linkId });
      await perform({ kind: 'startLinkDeletion', linkId });
      await perform({
        kind: 'endPermission',
        linkId,
        provider: 'fake',
        dueAt: '2026-03-02T10:00:00.000Z',
      });
      const workflowIds = [
        productRefreshWorkflowId(linkId),
        linkDeletionWorkflowId(linkId),
        permissionEndWorkflowId({ linkId, provider: 'fake', dueAt: '2026-03-02T10:00:00.000Z' }),
      ];
      for (const workflowId of workflowIds)
        expect(await temporal.client.workflow.getHandle(workflowId).describe()).toMatchObject({
          taskQueue: queue,
        });
    }
  });

  it('publish the next signing key before they start one rotation without input, however often they run', async () => {
    const workflowId = signingKeyRotationWorkflowId('command-1');
    await perform({ kind: 'rotateSigningKey', rotation: 'command-1' });
    await perform({ kind: 'rotateSigningKey', rotation: 'command-1' });
    await eventually(async () =>
      expect((await runsOf(workflowId)).map(({ type, status }) => [type, status.name])).toEqual([
        [SIGNING_KEY_ROTATION_WORKFLOW, 'RUNNING'],
      ]),
    );
    const handle = temporal.client.workflow.getHandle(workflowId);
    expect(await (await handle.describe()).staticSummary()).toBe('Rotation of the signing key');
    const [started] = (await handle.fetchHistory()).events ?? [];
    expect(started?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []).toEqual([]);
    expect(published).toEqual(['command-1', 'command-1']);

    await perform({ kind: 'rotateSigningKey', rotation: 'command-2' });
    await eventually(async () =>
      expect(await runsOf(signingKeyRotationWorkflowId('command-2'))).toHaveLength(1),
    );
  });

  it('signal the workflow of a session, and treat a missing one as notified', async () => {
    const handle = await temporal.client.workflow.start(LINK_SESSION_WORKFLOW, {
      workflowId: 'link-session/ses_told',
      taskQueue: 'no_one',
      args: [{ sessionId: 'ses_told', softReplyMs: 10 }],
    });
    await perform({ kind: 'signalSession', sessionId: 'ses_told', mode: 'link', signal: 'ended' });
    const names = (await handle.fetchHistory()).events
      ?.map((event) => event.workflowExecutionSignaledEventAttributes?.signalName)
      .filter(Boolean);
    expect(names).toEqual([endedSignal.name]);
    await handle.terminate();
    await perform({
      kind: 'signalSession',
      sessionId: 'ses_told',
      mode: 'link',
      signal: 'exchanged',
    });
    await perform({
      kind: 'signalSession',
      sessionId: 'ses_unknown',
      mode: 'relink',
      signal: 'ended',
    });
  });

  it('fail within their deadline while Temporal is down', async () => {
    const connection = Connection.lazy({ address: '127.0.0.1:1' });
    const away = performerFor(new Client({ connection }), 300);
    await expect(away({ kind: 'startProductRefresh', linkId: 'mk_1' })).rejects.toThrow();
    await connection.close();
  });
});
