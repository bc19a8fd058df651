import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChannelListener } from '../../../prisma/database/channel-listener.js';
import { endpointOf } from '../../../prisma/events/insert-event.js';
import { BOTH_HALVES, halfOf, type EndpointHalf } from '../../../prisma/events/webhook-slots.js';
import { OutcomeRecorder } from '../../../apps/webhooks/src/outcome-recorder.js';
import { FirstAttemptRelay } from '../../../apps/webhooks/src/first-attempt-relay.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { WebhookService } from './webhook-service.js';

const silent = createLogger({ name: 'test', level: 'silent', format: 'json' });
/** A round of handing, as the worker makes it. */
const ROUND = {
  atOnce: 10,
  refusing: [],
  atOnceRefusing: 2,
  overfull: true,
  afterEndpoint: '',
  endpoints: 20,
};

describe('the relay of first attempts', () => {
  let service: WebhookService;
  let receiver: WebhookReceiver;
  let listener: ChannelListener;

  beforeEach(async () => {
    service = await WebhookService.open({ timeoutMs: 3_000 });
    receiver = await WebhookReceiver.start({ verify: await service.verifier() });
    const { relay } = service;
    listener = new ChannelListener({
      pool: service.ctx.database.pool,
      on: {
        webhook_delivery_0: (endpoint) => relay.wake(endpoint),
        webhook_delivery_1: (endpoint) => relay.wake(endpoint),
      },
      onError: () => undefined,
    });
  });
  afterEach(async () => {
    listener.stop();
    receiver.releaseHeld();
    await service.close();
    await receiver.stop();
  });

  const start = () => {
    listener.start();
    service.relay.start();
  };
  const waiting = async () =>
    service.ctx.database.prisma.webhookDelivery.count({ where: { status: 'pending' } });

  it('sends an event as soon as its transaction has committed', async () => {
    // By the notification: no poll would come in time.
    const unpolled = await WebhookService.open({ pollMs: 3_600_000 });
    const told = new ChannelListener({
      pool: unpolled.ctx.database.pool,
      on: {
        webhook_delivery_0: (endpoint) => unpolled.relay.wake(endpoint),
        webhook_delivery_1: (endpoint) => unpolled.relay.wake(endpoint),
      },
      onError: () => undefined,
    });
    const own = await WebhookReceiver.start({ verify: await unpolled.verifier() });
    try {
      const link = await unpolled.addLink(own.url());
      told.start();
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
      told.stop();
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

  it('finds them, too, while it is told of other endpoints all the time', async () => {
    const busy = await WebhookReceiver.start({ verify: await service.verifier() });
    const link = await service.addLink(receiver.url());
    // Nobody listens: what it is told is only this.
    const telling = setInterval(() => service.relay.wake(endpointOf(busy.url())), 20);
    try {
      service.relay.start();
      await service.record(await service.addLink(busy.url()));
      await busy.until(1);
      await service.record(link);
      await receiver.until(1);
    } finally {
      clearInterval(telling);
      await busy.stop();
    }
  });

  it('claims at endpoints that were told of nowhere else, and no more than they have slots', async () => {
    const [here, there] = [
      await service.addLink('https://here.example/hooks'),
      await service.addLink('https://there.example/hooks'),
    ];
    const made: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      made.push((await service.record(here)).deliveryId);
      await service.record(there);
    }
    const { deliveries } = service.parts;
    const slots = { limit: 100, perEndpoint: 4, leaseMs: 60_000 };
    const endpoints = ['https://here.example:443', 'https://nobody.example:443'];
    const first = await deliveries.claimFirstAttempts({ ...slots, holder: 1n, endpoints });
    expect([first.due.map(({ deliveryId }) => deliveryId), first.lastEndpoint]).toEqual([
      made.slice(0, 4),
      null,
    ]);
    // Each counts what the other has.
    expect((await deliveries.claimFirstAttempts({ ...slots, holder: 2n, endpoints })).due).toEqual(
      [],
    );
    const everywhere = await deliveries.claimFirstAttempts({ ...slots, holder: 2n });
    expect(everywhere.due.map(({ endpoint }) => endpoint)).toEqual(
      Array.from({ length: 4 }, () => 'https://there.example:443'),
    );
    expect(
      (
        await deliveries.claimFirstAttempts({
          ...slots,
          holder: 1n,
          endpoints: ['https://there.example:443'],
        })
      ).due,
    ).toEqual([]);
  });

  it('starts the attempts of a link in the order of its events', async () => {
    const link = await service.addLink(receiver.url());
    const recorded: string[] = [];
    for (let index = 0; index < 30; index += 1)
      recorded.push((await service.record(link)).deliveryId);
    receiver.answerWith((request) => ({
      status: request.headers['service-delivery-token'] === recorded[0] ? 500 : 204,
    }));
    start();
    const received = await receiver.until(30);
    const order = received.map(({ headers }) =>
      recorded.indexOf(String(headers['service-delivery-token'])),
    );
    // Eight are under way at a time; no event starts before one that is eight places ahead of it.
    order.forEach((place, index) => expect(Math.abs(place - index)).toBeLessThan(8));
    await eventually(async () => expect(await waiting()).toBe(1));
  });

  it('hands a failed first attempt to a workflow and does not make the second', async () => {
    receiver.answerWith({ status: 500 });
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

  it('makes at most 8 attempts at a time at one endpoint, later attempts included', async () => {
    receiver.answerWith('hang');
    const link = await service.addLink(receiver.url('/one'));
    const twin = await service.addLink(receiver.url('/two'));
    for (let index = 0; index < 10; index += 1) {
      await service.record(link);
      await service.record(twin);
    }
    start();
    await receiver.until(8);
    const extra = await service.record(link);
    expect(await service.attempt(extra)).toMatchObject({ failure: 'NoSlot' });
    expect([(await service.delivery(extra)).attempts, await service.isLeased(extra)]).toEqual([
      0,
      false,
    ]);
    // The next eight come when the first have run into their time-out.
    await receiver.until(16);
    expect(receiver.mostOpen).toBe(8);
  });

  it('no slot means again in one to five seconds', async () => {
    receiver.answerWith('hang');
    const link = await service.addLink(receiver.url());
    for (let index = 0; index < 9; index += 1) await service.record(link);
    start();
    await receiver.until(8);
    const extra = await service.record(link);
    const { retryInMs } = (await service.attempt(extra)) as { retryInMs: number };
    expect(retryInMs).toBeGreaterThanOrEqual(1_000);
    expect(retryInMs).toBeLessThanOrEqual(5_000);
  });

  it('claims of several processes never give out more than 8 slots of an endpoint', async () => {
    const link = await service.addLink(receiver.url());
    for (let index = 0; index < 40; index += 1) await service.record(link);
    const { deliveries } = service.parts;
    const told = { endpoints: [endpointOf(receiver.url())] };
    const claims = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        deliveries.claimFirstAttempts({
          limit: 5,
          holder: BigInt(index + 1),
          perEndpoint: 8,
          leaseMs: 60_000,
          ...(index % 2 === 0 ? told : {}),
        }),
      ),
    );
    const pks = claims.flatMap(({ due }) => due.map(({ pk }) => pk));
    expect([pks.length, new Set(pks).size]).toEqual([8, 8]);
  });

  it('claims of the two halves of the endpoints find each delivery in one of them', async () => {
    const made = new Map<string, EndpointHalf>();
    for (let host = 0; host < 12; host += 1) {
      const url = `https://app${host}.example.com/hooks`;
      made.set(
        (await service.record(await service.addLink(url))).deliveryId,
        halfOf(endpointOf(url)),
      );
    }
    const { deliveries } = service.parts;
    const claimed = await Promise.all(
      BOTH_HALVES.map((half) =>
        deliveries.claimFirstAttempts({
          limit: 100,
          holder: BigInt(half + 1),
          perEndpoint: 8,
          leaseMs: 60_000,
          halves: [half],
        }),
      ),
    );
    for (const half of BOTH_HALVES) {
      const own = [...made].flatMap(([deliveryId, of]) => (of === half ? [deliveryId] : []));
      expect(own.length).toBeGreaterThan(0);
      expect(claimed[half]?.due.map(({ deliveryId }) => deliveryId)).toEqual(own);
    }
  });

  it('a claim at one endpoint and claims over the halves never give out more than 8 slots of it', async () => {
    const link = await service.addLink(receiver.url());
    const first = await service.record(link);
    for (let index = 0; index < 20; index += 1) await service.record(link);
    const { deliveries } = service.parts;
    const slots = { perEndpoint: 8, leaseMs: 60_000 };
    const [one, ...many] = await Promise.all([
      deliveries.claimAttempt(first.deliveryId, slots),
      ...BOTH_HALVES.flatMap((half) =>
        [1n, 2n].map((holder) =>
          deliveries.claimFirstAttempts({
            limit: 100,
            holder: 2n * holder + BigInt(half),
            ...slots,
            halves: [half],
          }),
        ),
      ),
    ]);
    expect((one.kind === 'due' ? 1 : 0) + many.flatMap(({ due }) => due).length).toBe(8);
  });

  it('webhooks 12, check 10: a receiver that hangs does not delay the events of another app', async () => {
    const patient = await WebhookService.open({ timeoutMs: 30_000 });
    const hung = await WebhookReceiver.start();
    const healthy = await WebhookReceiver.start();
    hung.answerWith('hang');
    const stuck = await patient.addLink(hung.url());
    for (let index = 0; index < 40; index += 1) await patient.record(stuck);
    patient.relay.start();
    await hung.until(8);
    const link = await patient.addLink(healthy.url());
    for (let index = 0; index < 20; index += 1) await patient.record(link);
    // All of them, while none of the hung attempts has been given up.
    await healthy.until(20, 20_000);
    expect(hung.received).toHaveLength(8);
    await patient.close();
    await hung.stop();
    await healthy.stop();
  });

  it('webhooks 12, check 11: a crash between answer and record sends the event again, under the same number', async () => {
    const link = await service.addLink(receiver.url());
    const delivery = await service.record(link);
    const { deliveries } = service.parts;
    // A process that dies after the answer has recorded nothing and given nothing back.
    const {
      due: [claimed],
    } = await deliveries.claimFirstAttempts({
      limit: 1,
      holder: 1n,
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

  it('an outcome counts once, and a late one of a lapsed lease changes nothing', async () => {
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
    expect(await service.queuedWorkflows()).toEqual([delivery.deliveryId]);
  });

  it('stopping breaks off what does not end in time and gives it back', async () => {
    receiver.answerWith('hang');
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

  it('goes on when an attempt cannot be recorded or made', async () => {
    const failing = new FirstAttemptRelay({
      deliveries: service.parts.deliveries,
      attempts: {
        make: () => Promise.reject(new Error('the database is away')),
      },
      logger: silent,
      perEndpoint: 8,
      leaseMs: 100,
      halves: BOTH_HALVES,
      maxHeld: 100,
      maxHeldPerTenant: 100,
    });
    const delivery = await service.record(await service.addLink(receiver.url()));
    failing.start();
    await eventually(async () => expect(await service.isLeased(delivery)).toBe(true));
    await failing.stop(0);
    expect(await service.delivery(delivery)).toMatchObject({ status: 'pending', attempts: 0 });
    start();
    await receiver.until(1);
  });

  it('keeps an outcome through a short absence of the database', async () => {
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

describe('deliveries that nobody makes', () => {
  let service: WebhookService;

  beforeEach(async () => {
    service = await WebhookService.open();
  });
  afterEach(() => service.close());

  const failFirst = async () => {
    const delivery = await service.record(await service.addLink('http://127.0.0.1:1/'));
    await service.attempt(delivery);
    await service.ctx.database.prisma.outboxCommand.deleteMany();
    return delivery;
  };

  it('get a new workflow once they are more than a minute overdue', async () => {
    const delivery = await failFirst();
    const { nextAttemptAt } = await service.delivery(delivery);
    const at = (ms: number) => new Date((nextAttemptAt?.getTime() ?? 0) + ms);
    const { deliveries } = service.parts;
    expect(await deliveries.requeueOverdue(at(59_000), 60_000)).toBe(0);
    expect(await deliveries.requeueOverdue(at(61_000), 60_000)).toBe(1);
    expect(await service.queuedWorkflows()).toEqual([delivery.deliveryId]);
    // Not again while the command waits.
    expect(await deliveries.requeueOverdue(at(62_000), 60_000)).toBe(0);
  });

  it('are left alone when they are first attempts, finished, or under way', async () => {
    const [ended, leased] = [await failFirst(), await failFirst()];
    const first = await service.record(await service.addLink('http://127.0.0.1:1/'));
    await service.parts.deliveries.stop(ended.deliveryId);
    const later = new Date(service.ctx.clock().getTime() + 3_600_000);
    await service.ctx.database.prisma.webhookLease.create({
      data: {
        deliveryPk: leased.pk,
        endpoint: 'http://127.0.0.1:1',
        leasedBy: 1n,
        slots: 1,
        leasedUntil: new Date(later.getTime() + 1_000),
      },
    });
    expect(await service.parts.deliveries.requeueOverdue(later, 60_000)).toBe(0);
    expect(await service.delivery(first)).toMatchObject({ status: 'pending', attempts: 0 });
  });

  it('begin at once while none is open at their endpoint, and wait for a round beyond that', async () => {
    const link = await service.addLink('http://127.0.0.1:1/');
    for (let index = 0; index < 8; index += 1) await service.record(link);
    service.relay.start();
    await eventually(async () =>
      expect(
        await service.ctx.database.prisma.webhookDelivery.count({
          where: { status: 'pending', attempts: 1 },
        }),
      ).toBe(8),
    );
    expect(await service.queuedWorkflows()).toHaveLength(1);
    expect(await service.parts.outcomes.handToWorkflows(ROUND)).toMatchObject({ handed: 7 });
  });

  it('wait in the table when their endpoint has 50 workflows, the earliest due first', async () => {
    const link = await service.addLink('http://127.0.0.1:1/');
    for (let index = 0; index < 53; index += 1) await service.record(link);
    const { prisma } = service.ctx.database;
    const { deliveries } = service.parts;
    service.relay.start();
    await eventually(async () =>
      expect(
        await prisma.webhookDelivery.count({ where: { status: 'pending', attempts: 1 } }),
      ).toBe(53),
    );
    expect(await service.parts.outcomes.handToWorkflows({ ...ROUND, atOnce: 53 })).toMatchObject({
      handed: 49,
    });
    expect([
      (await service.queuedWorkflows()).length,
      await prisma.webhookDelivery.count({ where: { inWorkflow: false } }),
    ]).toEqual([50, 3]);
    expect(await service.parts.outcomes.handToWorkflows(ROUND)).toEqual({
      handed: 0,
      lastEndpoint: null,
    });

    // A workflow whose next attempt is later than theirs makes room; so does one that ends.
    const open = await prisma.webhookDelivery.findMany({
      where: { inWorkflow: true },
      orderBy: { pk: 'asc' },
      take: 2,
    });
    const [turn, ended] = open;
    if (turn === undefined || ended === undefined) throw new Error('fifty are open');
    expect(await service.attemptWhenDue(turn)).toEqual({ end: { status: 'waiting', attempts: 2 } });
    await deliveries.stop(ended.deliveryId);
    const earliest = await prisma.webhookDelivery.findMany({
      where: { status: 'pending', inWorkflow: false },
      orderBy: [{ nextAttemptAt: 'asc' }, { pk: 'asc' }],
      take: 2,
    });
    expect(earliest.map(({ attempts }) => attempts)).toEqual([1, 1]);
    expect(await service.parts.outcomes.handToWorkflows(ROUND)).toMatchObject({ handed: 2 });
    expect((await service.queuedWorkflows()).slice(50).sort()).toEqual(
      earliest.map(({ deliveryId }) => deliveryId).sort(),
    );
  });

  it('get workflows endpoint after endpoint, fewer where an endpoint refuses', async () => {
    const { prisma } = service.ctx.database;
    const endpoints = ['http://127.0.0.1:2', 'http://127.0.0.1:3', 'http://127.0.0.1:4'];
    for (const endpoint of endpoints) {
      const link = await service.addLink(`${endpoint}/`);
      for (let index = 0; index < 3; index += 1) await service.record(link);
    }
    await prisma.webhookDelivery.updateMany({
      where: { endpoint: { in: endpoints } },
      data: { attempts: 1 },
    });
    const handed = async () =>
      Promise.all(
        endpoints.map((endpoint) =>
          prisma.webhookDelivery.count({ where: { endpoint, inWorkflow: true } }),
        ),
      );
    const round = {
      ...ROUND,
      atOnce: 2,
      refusing: [endpoints[1] ?? ''],
      atOnceRefusing: 1,
      endpoints: 2,
    };
    expect(await service.parts.outcomes.handToWorkflows(round)).toEqual({
      handed: 3,
      lastEndpoint: endpoints[1],
    });
    expect(await handed()).toEqual([2, 1, 0]);
    expect(
      await service.parts.outcomes.handToWorkflows({ ...round, afterEndpoint: endpoints[1] ?? '' }),
    ).toEqual({ handed: 2, lastEndpoint: null });
    expect(await handed()).toEqual([2, 1, 2]);
  });

  it('get none where an endpoint refuses and more wait than may have workflows, but in the turn of such endpoints', async () => {
    const [full, short] = ['http://127.0.0.1:2', 'http://127.0.0.1:3'];
    const add = async (endpoint: string, count: number): Promise<void> => {
      const link = await service.addLink(`${endpoint}/`);
      for (let index = 0; index < count; index += 1) await service.record(link);
    };
    await add(full, 51);
    await add(short, 50);
    const { prisma } = service.ctx.database;
    await prisma.webhookDelivery.updateMany({
      where: { endpoint: { in: [full, short] } },
      data: { attempts: 1 },
    });
    const handed = async () =>
      Promise.all(
        [full, short].map((endpoint) =>
          prisma.webhookDelivery.count({ where: { endpoint, inWorkflow: true } }),
        ),
      );
    const round = { ...ROUND, refusing: [full, short], atOnceRefusing: 1 };
    await service.parts.outcomes.handToWorkflows({ ...round, overfull: false });
    expect(await handed()).toEqual([0, 1]);
    await service.parts.outcomes.handToWorkflows({ ...round, overfull: true });
    expect(await handed()).toEqual([1, 2]);
    await service.parts.outcomes.handToWorkflows({ ...round, refusing: [], overfull: false });
    expect(await handed()).toEqual([11, 12]);
  });

  it('end as exhausted when an operator cancels them; an answer that arrives after that still counts', async () => {
    const [cancelled, answered] = [await failFirst(), await failFirst()];
    const { deliveries } = service.parts;
    expect(await deliveries.stop(cancelled.deliveryId)).toBe('exhausted');
    expect(await service.delivery(cancelled)).toMatchObject({
      status: 'exhausted',
      nextAttemptAt: null,
      attempts: 1,
    });
    await deliveries.stop(answered.deliveryId);
    await service.parts.outcomes.recordOutcomes([
      {
        deliveryPk: answered.pk,
        attempt: 2,
        startedAt: new Date(),
        durationMs: 1,
        httpStatus: 200,
        error: null,
        responseExcerpt: null,
        status: 'delivered',
        nextAttemptAt: null,
        shiftMs: 0,
      },
    ]);
    expect(await service.delivery(answered)).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(await deliveries.stop(answered.deliveryId)).toBe('delivered');
  });
});
