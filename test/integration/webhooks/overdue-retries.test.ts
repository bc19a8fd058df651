import { WebhookService } from './webhook-service.js';

describe('Retries that are overdue', () => {
  let service: WebhookService;

  beforeEach(async () => {
    service = await WebhookService.open();
  });
  afterEach(() => service.close());

  const failFirst = async () => {
    const delivery = await service.record(await service.addLink('http://127.0.0.1:1/'));
    await service.attempt(delivery);
    await service.startRetries();
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

  it('are left alone when they are first attempts, finished, or in flight', async () => {
    const [ended, leased] = [await failFirst(), await failFirst()];
    const first = await service.record(await service.addLink('http://127.0.0.1:1/'));
    await service.parts.deliveries.stop(ended.deliveryId);
    const later = new Date(service.ctx.clock().getTime() + 3_600_000);
    await service.ctx.database.prisma.webhookLease.create({
      data: {
        deliveryPk: leased.pk,
        endpoint: 'http://127.0.0.1:1',
        leasedUntil: new Date(later.getTime() + 1_000),
      },
    });
    expect(await service.parts.deliveries.requeueOverdue(later, 60_000)).toBe(0);
    expect(await service.delivery(first)).toMatchObject({ status: 'pending', attempts: 0 });
  });

  it('end as exhausted when an operator cancels them, and a response that arrives after that still counts', async () => {
    const [canceled, answered] = [await failFirst(), await failFirst()];
    const { deliveries } = service.parts;
    expect(await deliveries.stop(canceled.deliveryId)).toBe('exhausted');
    expect(await service.delivery(canceled)).toMatchObject({
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
