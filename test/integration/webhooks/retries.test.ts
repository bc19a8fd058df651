import { randomBytes } from 'node:crypto';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { OutboxRelay } from '../../../apps/worker/src/outbox/outbox-relay.js';
import { createCommandPerformer } from '../../../apps/worker/src/outbox/perform-command.js';
import { ChannelListener } from '../../../prisma/base/database/channel-listener.js';
import { OutboxRepository } from '../../../prisma/base/outbox/outbox.repository.js';
import { WebhookReplayRepository } from '../../../prisma/announcements/webhook-log/webhook-replay.repository.js';
import { SANDBOX_LINKS_QUEUE, SANDBOX_WEBHOOKS_QUEUE } from '../../../workflows/task-queues.js';
import { webhookDeliveryWorkflowId } from '../../../workflows/webhook-delivery/webhook-delivery.contract.js';
import { testTemporalAddress } from '../../support/services/embedded-services.js';
import { runCommand } from '../../support/actors/operator.js';
import { shareDatabase } from '../../support/fixtures/test-databases.js';
import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { TestTemporal } from '../../support/services/test-temporal.js';
import { WebhookService } from './webhook-service.js';
import { itInLongRuns } from '../../support/fixtures/long-runs.js';

describe('An event whose first attempt fails', () => {
  let service: WebhookService;
  let receiver: WebhookReceiver;
  let temporal: TestTemporal;
  let outbox: OutboxRelay;
  let listener: ChannelListener;

  beforeAll(async () => {
    temporal = await TestTemporal.open();
  });
  afterAll(() => temporal.close());
  const nextDatabase = shareDatabase();
  beforeEach(async () => {
    service = await WebhookService.open({
      opened: await nextDatabase(),
      timeoutMs: 30_000,
      attemptsAtMs: [0, 200, 400, 600, 800],
    });
    receiver = await WebhookReceiver.start({ verify: await service.verifier() });
    const {
      relay,
      parts: { deliveries },
    } = service;
    outbox = new OutboxRelay({
      outbox: new OutboxRepository(service.ctx),
      perform: createCommandPerformer({
        client: temporal.client,
        deliveries,
        environmentOf: () => Promise.resolve('sandbox'),
        subjectOf: () => Promise.resolve(undefined),
        refresh: { fetchRetryForMs: 1_000, fetchRetryForSandboxMs: 1_000, firstRetryMs: 10 },
        deletion: { firstRetryMs: 10, longestRetryMs: 100 },
        erasure: { firstWaitMs: 1_000, longestWaitMs: 1_000 },
        publishKey: () => Promise.resolve(),
        delivery: { attemptTimeoutMs: 30_000, retryMs: 100 },
      }),
      logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
      clock: service.ctx.clock,
    });
    listener = new ChannelListener({
      pool: service.ctx.database.pool,
      on: {
        webhook_delivery: () => relay.wake(),
        outbox: () => outbox.wake(),
      },
      onError: () => undefined,
    });
    listener.start();
    relay.start();
    service.retries.start();
    outbox.start();
  });
  afterEach(async () => {
    listener.stop();
    await outbox.stop();
    await temporal.stopWorkers();
    receiver.releaseHeld();
    await service.close();
    await receiver.stop();
  });

  const startWorkers = () => {
    const { activities } = service.parts;
    return temporal.startWorkers([
      { taskQueue: SANDBOX_LINKS_QUEUE, activities },
      { taskQueue: SANDBOX_WEBHOOKS_QUEUE, activities, withoutWorkflows: true },
    ]);
  };
  const attemptsOf = () =>
    receiver.received.map(({ headers }) => headers['service-delivery-attempt']);

  it('is delivered by a workflow at a later planned time', async () => {
    await startWorkers();
    receiver.respondWith((_request, index) => ({ status: index < 2 ? 500 : 204 }));
    const delivery = await service.record(await service.addLink(receiver.url()));
    await receiver.until(3);
    expect(
      await temporal.client.workflow
        .getHandle(webhookDeliveryWorkflowId(delivery.deliveryId))
        .result(),
    ).toEqual({ status: 'delivered', attempts: 3 });
    expect(attemptsOf()).toEqual(['1', '2', '3']);
    expect(
      receiver.received.every(
        ({ refused, rawBody }) =>
          refused === null && rawBody.equals(receiver.received[0]?.rawBody ?? Buffer.alloc(0)),
      ),
    ).toBe(true);
    expect(await service.delivery(delivery)).toMatchObject({
      status: 'delivered',
      attempts: 3,
      history: [{ httpStatus: 500 }, { httpStatus: 500 }, { httpStatus: 204 }],
    });
    expect(await service.queuedWorkflows()).toEqual([]);
  });

  itInLongRuns('is delivered even when the history of its workflow is lost', async () => {
    receiver.respondWith((_request, index) => ({ status: index < 1 ? 500 : 204 }));
    const delivery = await service.record(await service.addLink(receiver.url()));
    const handle = temporal.client.workflow.getHandle(
      webhookDeliveryWorkflowId(delivery.deliveryId),
    );
    await eventually(() => handle.describe());
    await handle.terminate();
    await startWorkers();
    service.advance(120_000);
    expect(await service.parts.deliveries.requeueOverdue(service.ctx.clock(), 60_000)).toBe(1);
    await receiver.until(2);
    await eventually(async () =>
      expect(await service.delivery(delivery)).toMatchObject({ status: 'delivered', attempts: 2 }),
    );
  });

  describe('and an operator', () => {
    const MASTER_KEYS = `k1:${randomBytes(32).toString('base64')}`;
    const operate = async (verb: 'retry' | 'cancel', deliveryId: string) => {
      const { status, stdout, stderr } = await runCommand(
        ['deliveries', verb, deliveryId, '--json'],
        {
          DATABASE_URL: service.address.url,
          TEMPORAL_ADDRESS: testTemporalAddress(),
          TEMPORAL_NAMESPACE: temporal.namespace,
          MASTER_KEYS,
        },
      );
      if (status !== 0) {
        const { error } = JSON.parse(stderr) as { error: { cause: string } };
        return { refused: error.cause };
      }
      return JSON.parse(stdout) as object;
    };
    const waitingForAnHour = async () => {
      receiver.respondWith({ status: 503, headers: { 'retry-after': '3600' } });
      await startWorkers();
      const delivery = await service.record(await service.addLink(receiver.url()));
      const handle = temporal.client.workflow.getHandle(
        webhookDeliveryWorkflowId(delivery.deliveryId),
      );
      await eventually(async () =>
        expect((await handle.describe()).raw.pendingActivities?.[0]?.lastFailure?.message).toBe(
          'the next attempt is not due yet',
        ),
      );
      return { delivery, handle };
    };

    it('retries it: the next attempt is made at once', async () => {
      const { delivery, handle } = await waitingForAnHour();
      receiver.respondWith({ status: 204 });
      expect(await operate('retry', delivery.deliveryId)).toEqual({
        delivery_token: delivery.deliveryId,
        status: 'pending',
      });
      expect(await handle.result()).toEqual({ status: 'delivered', attempts: 2 });
      expect(await operate('retry', delivery.deliveryId)).toEqual({
        refused: `${delivery.deliveryId} is delivered and cannot be retried; replay its event.`,
      });
      expect(await operate('retry', 'whd_unknown')).toEqual({
        refused: 'There is no delivery whd_unknown.',
      });
    });

    itInLongRuns('cancels it: it gets one more attempt if that was a mistake', async () => {
      const { delivery, handle } = await waitingForAnHour();
      expect(await operate('cancel', delivery.deliveryId)).toEqual({
        delivery_token: delivery.deliveryId,
        status: 'exhausted',
      });
      await eventually(async () => expect((await handle.describe()).status.name).toBe('CANCELLED'));
      expect(await service.delivery(delivery)).toMatchObject({
        status: 'exhausted',
        attempts: 1,
        nextAttemptAt: null,
      });
      expect(await operate('cancel', delivery.deliveryId)).toEqual({
        delivery_token: delivery.deliveryId,
        status: 'exhausted',
      });
      receiver.respondWith({ status: 204 });
      expect(await operate('retry', delivery.deliveryId)).toEqual({
        delivery_token: delivery.deliveryId,
        status: 'pending',
      });
      await eventually(async () =>
        expect(await service.delivery(delivery)).toMatchObject({
          status: 'delivered',
          attempts: 2,
        }),
      );
    });
  });

  itInLongRuns('ends at once, and its workflow with it, when its event is replayed', async () => {
    receiver.respondWith({ status: 503, headers: { 'retry-after': '3600' } });
    await startWorkers();
    const delivery = await service.record(await service.addLink(receiver.url()));
    const handle = temporal.client.workflow.getHandle(
      webhookDeliveryWorkflowId(delivery.deliveryId),
    );
    await eventually(async () =>
      expect((await handle.describe()).raw.pendingActivities?.[0]?.lastFailure?.message).toBe(
        'the next attempt is not due yet',
      ),
    );
    receiver.respondWith({ status: 204 });
    const { eventId } = await service.ctx.database.prisma.webhookEvent.findUniqueOrThrow({
      where: { pk: delivery.eventPk },
    });
    const replayed = await new WebhookReplayRepository(service.ctx).replay(
      { appId: 'pocket-ledger', environment: 'sandbox' },
      eventId,
    );
    if (replayed.kind !== 'replayed') throw new Error(replayed.kind);
    await eventually(async () => expect((await handle.describe()).status.name).toBe('CANCELLED'));
    await receiver.until(2);
    await eventually(async () =>
      expect(await service.delivery(replayed)).toMatchObject({ status: 'delivered', attempts: 1 }),
    );
    expect(await service.delivery(delivery)).toMatchObject({
      status: 'replaced',
      attempts: 1,
      nextAttemptAt: null,
    });
  });

  itInLongRuns('stays ended when an operator cancels its workflow', async () => {
    receiver.respondWith({ status: 503, headers: { 'retry-after': '3600' } });
    await startWorkers();
    const delivery = await service.record(await service.addLink(receiver.url()));
    const handle = temporal.client.workflow.getHandle(
      webhookDeliveryWorkflowId(delivery.deliveryId),
    );
    await eventually(() => handle.describe());
    await handle.cancel();
    await eventually(async () =>
      expect(await service.delivery(delivery)).toMatchObject({
        status: 'exhausted',
        attempts: 1,
        nextAttemptAt: null,
      }),
    );
    service.advance(7_200_000);
    expect(await service.parts.deliveries.requeueOverdue(service.ctx.clock(), 60_000)).toBe(0);
    expect(receiver.received).toHaveLength(1);
  });
});
