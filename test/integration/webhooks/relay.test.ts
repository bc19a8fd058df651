import { ChannelListener } from '../../../prisma/base/database/channel-listener.js';
import { OutcomeRecorder } from '../../../apps/webhooks/src/sending/outcome-recorder.js';
import { Relay } from '../../../apps/webhooks/src/relay.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { WebhookService } from './webhook-service.js';
import { openRelayStage, receiver, service, start } from './support/relay-stage.js';

const silent = createLogger({ name: 'test', level: 'silent', format: 'json' });
describe('The relay of first attempts', () => {
  openRelayStage();

  const waiting = async () =>
    service.ctx.database.prisma.webhookDelivery.count({ where: { status: 'pending' } });

  it('sends an event as soon as its transaction has committed', async () => {
    // It uses the notification, because no poll would come in time.
    const unpolled = await WebhookService.open({ pollMs: 3_600_000 });
    const hears = new ChannelListener({
      pool: unpolled.ctx.database.pool,
      on: { webhook_delivery: () => unpolled.relay.wake() },
      onError: () => undefined,
    });
    const own = await WebhookReceiver.start({ verify: await unpolled.verifier() });
    try {
      const link = await unpolled.addLink(own.url());
      hears.start();
      unpolled.relay.start();
      await unpolled.record(link);
      await own.until(1);
      const delivery = await unpolled.record(link);
      await own.until(2);
      await eventually(async () => {
        expect(await unpolled.delivery(delivery)).toMatchObject({
          status: 'delivered',
          attempts: 1,
        });
        expect(await unpolled.isLeased(delivery)).toBe(false);
      });
      expect(own.received.map(({ refused }) => refused)).toEqual([null, null]);
    } finally {
      hears.stop();
      await unpolled.close();
      await own.stop();
    }
    expect(await service.queuedWorkflows()).toEqual([]);
  });

  it('finds events whose notification was lost', async () => {
    service.relay.start();
    await service.record(await service.addLink(receiver.url()));
    await receiver.until(1);
  });

  it('starts the attempts of a link in the order of its events', async () => {
    const link = await service.addLink(receiver.url());
    const recorded: string[] = [];
    for (let index = 0; index < 30; index += 1)
      recorded.push((await service.record(link)).deliveryId);
    receiver.respondWith((request) => ({
      status: request.headers['service-delivery-token'] === recorded[0] ? 500 : 204,
    }));
    start();
    const received = await receiver.until(30);
    const order = received.map(({ headers }) =>
      recorded.indexOf(String(headers['service-delivery-token'])),
    );
    // Eight attempts are in flight at a time, so no event arrives before one that is eight places
    // ahead of it. A single one may take any time to arrive.
    order.forEach((place, index) => expect(place - index).toBeLessThan(8));
    await eventually(async () => expect(await waiting()).toBe(1));
  });

  it('starts a retry workflow for a failed first attempt, and does not make the second itself', async () => {
    receiver.respondWith({ status: 500 });
    const delivery = await service.record(await service.addLink(receiver.url()));
    start();
    await eventually(async () =>
      expect(await service.queuedWorkflows()).toEqual([delivery.deliveryId]),
    );
    service.advance(60_000);
    service.relay.wake();
    const sibling = await service.record(await service.addLink(receiver.url()));
    await receiver.until(2);
    expect(receiver.received.map(({ headers }) => headers['service-delivery-token'])).toEqual([
      delivery.deliveryId,
      sibling.deliveryId,
    ]);
  });

  it('does not delay the events of another app when a receiver hangs (webhooks 12, check 10)', async () => {
    const patient = await WebhookService.open({ timeoutMs: 600_000 });
    const hung = await WebhookReceiver.start();
    const healthy = await WebhookReceiver.start();
    hung.respondWith('hang');
    const stuck = await patient.addLink(hung.url());
    for (let index = 0; index < 40; index += 1) await patient.record(stuck);
    patient.relay.start();
    await hung.until(8);
    const link = await patient.addLink(healthy.url());
    for (let index = 0; index < 20; index += 1) await patient.record(link);
    // All of them, while none of the hung attempts has timed out.
    await healthy.until(20);
    expect(hung.received).toHaveLength(8);
    await patient.close();
    await hung.stop();
    await healthy.stop();
  });

  it('sends the event again under the same number after a crash between response and record (webhooks 12, check 11)', async () => {
    const link = await service.addLink(receiver.url());
    const delivery = await service.record(link);
    // A process that is killed after the response has recorded nothing and released nothing.
    const {
      due: [claimed],
    } = await service.parts.claims.claimFirstAttempts({
      limit: 1,
      perEndpoint: 8,
      leaseMs: 13_000,
    });
    expect(claimed).toMatchObject({ deliveryId: delivery.deliveryId, attempt: 1 });
    start();
    await service.record(link);
    await receiver.until(1);
    expect(receiver.received[0]?.headers['service-delivery-token']).not.toBe(delivery.deliveryId);
    service.advance(13_001);
    await receiver.until(2);
    expect(receiver.received[1]?.headers).toMatchObject({
      'service-delivery-token': delivery.deliveryId,
      'service-delivery-attempt': '1',
    });
    await eventually(async () =>
      expect(await service.delivery(delivery)).toMatchObject({ status: 'delivered', attempts: 1 }),
    );
  });

  it('counts an outcome once, and a late one of a lapsed lease changes nothing', async () => {
    const delivery = await service.record(await service.addLink(receiver.url()));
    const outcome = {
      deliveryPk: delivery.pk,
      attempt: 1,
      startedAt: service.ctx.clock(),
      durationMs: 5,
      httpStatus: 500,
      error: 'http_status' as const,
      responseExcerpt: null,
      status: 'pending' as const,
      nextAttemptAt: service.ctx.clock(),
      shiftMs: 0,
    };
    await service.parts.outcomes.recordOutcomes([outcome]);
    await service.parts.outcomes.recordOutcomes([
      outcome,
      {
        ...outcome,
        httpStatus: 200,
        error: null,
        status: 'delivered' as const,
        nextAttemptAt: null,
      },
    ]);
    expect(await service.delivery(delivery)).toMatchObject({
      status: 'pending',
      attempts: 1,
      history: [{ attempt: 1, httpStatus: 500 }],
    });
    await service.startRetries();
    expect(await service.queuedWorkflows()).toEqual([delivery.deliveryId]);
  });

  it('interrupts attempts that do not finish in time when it stops, and releases them', async () => {
    receiver.respondWith('hang');
    const delivery = await service.record(await service.addLink(receiver.url()));
    start();
    await receiver.until(1);
    await service.relay.stop(50);
    expect(await service.delivery(delivery)).toMatchObject({
      status: 'pending',
      attempts: 0,
      history: [],
    });
    expect(await service.isLeased(delivery)).toBe(false);
  });

  it('continues when an attempt cannot be recorded or made', async () => {
    const failing = new Relay({
      claims: service.parts.claims,
      attempts: {
        make: () => Promise.reject(new Error('the database is away')),
      },
      onFailed: () => undefined,
      logger: silent,
      slots: { perEndpoint: 8, leaseMs: 60_000 },
      maxInFlight: 100,
      maxInFlightPerApp: 100,
      maxWaitingRetries: 100,
    });
    const delivery = await service.record(await service.addLink(receiver.url()));
    failing.start();
    await eventually(async () => expect(await service.isLeased(delivery)).toBe(true));
    await failing.stop(0);
    expect(await service.delivery(delivery)).toMatchObject({ status: 'pending', attempts: 0 });
    service.advance(60_000);
    start();
    await receiver.until(1);
  });

  it('keeps an outcome through a short outage of the database', async () => {
    const delivery = await service.record(await service.addLink(receiver.url()));
    let away = 2;
    const recorder = new OutcomeRecorder({
      outcomes: {
        recordOutcomes: (outcomes) =>
          away-- > 0
            ? Promise.reject(new Error('Connection terminated'))
            : service.parts.outcomes.recordOutcomes(outcomes),
      },
      isTemporary: () => true,
      retryAfterMs: [1, 1],
    });
    await recorder.record({
      deliveryPk: delivery.pk,
      attempt: 1,
      startedAt: new Date(),
      durationMs: 1,
      httpStatus: 200,
      error: null,
      responseExcerpt: null,
      status: 'delivered',
      nextAttemptAt: null,
      shiftMs: 0,
    });
    expect(await service.delivery(delivery)).toMatchObject({ status: 'delivered', attempts: 1 });
  });
});
