import { WebhookService } from './webhook-service.js';

describe('An outcome that arrives after its delivery has finished', () => {
  let service: WebhookService;
  beforeAll(async () => {
    service = await WebhookService.open();
  });
  afterAll(() => service?.close());

  const open = async () => service.record(await service.addLink('http://127.0.0.1:1/'));
  const outcomeOf = ({ pk }: { pk: bigint }, httpStatus: number) => ({
    deliveryPk: pk,
    attempt: 1,
    startedAt: service.ctx.clock(),
    durationMs: 5,
    httpStatus,
    responseExcerpt: null,
    shiftMs: 0,
    ...(httpStatus === 204
      ? { error: null, status: 'delivered' as const, nextAttemptAt: null }
      : {
          error: 'http_status' as const,
          status: 'pending' as const,
          nextAttemptAt: service.ctx.clock(),
        }),
  });

  // A batch that consists of deliveries only has a statement of its own.
  it.each(['alone', 'beside a failure'])(
    'is recorded as delivered where the receiver has the event, once, and does not change a replaced one, %s',
    async (company) => {
      const { outcomes } = service.parts;
      const deliveries = [await open(), await open(), await open(), await open()];
      const standing = ['pending', 'exhausted', 'disabled', 'replaced'];
      for (const [index, { pk }] of deliveries.entries())
        await service.ctx.database.prisma.webhookDelivery.update({
          where: { pk },
          data: { status: standing[index] ?? '' },
        });
      const accepted = deliveries.map((delivery) => outcomeOf(delivery, 204));
      const failed = company === 'alone' ? [] : [outcomeOf(await open(), 500)];
      for (let time = 0; time < 2; time += 1)
        await outcomes.recordOutcomes([...accepted, ...failed]);
      const recorded = await Promise.all(deliveries.map((delivery) => service.delivery(delivery)));
      expect(recorded.map(({ status }) => status)).toEqual([
        'delivered',
        'delivered',
        'delivered',
        'replaced',
      ]);
      for (const [index, { startedAt }] of accepted.entries()) {
        expect(recorded[index]).toMatchObject({
          attempts: 1,
          firstAttemptAt: startedAt,
          lastAttemptAt: startedAt,
          nextAttemptAt: null,
          history: [
            {
              attempt: 1,
              startedAt,
              durationMs: 5,
              httpStatus: 204,
              error: null,
              responseExcerpt: null,
            },
          ],
        });
      }
    },
  );
});
