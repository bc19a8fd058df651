import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { shareDatabase } from '../../support/fixtures/test-databases.js';
import { WebhookService } from './webhook-service.js';

/** Failed deliveries: more than may wait for a start in the end. */
const FAILING = process.env['LONG_RUNS'] ? 60 : 40;

describe('Retry workflows of failed deliveries', () => {
  let service: WebhookService;
  const nextDatabase = shareDatabase();
  beforeEach(async () => {
    service = await WebhookService.open({
      opened: await nextDatabase(),
      retryStarts: 6,
      retryStartsPerEndpoint: 4,
    });
  });
  afterEach(() => service.close());

  /** Deliveries whose first attempt has failed. @returns their tokens, in the order in which they are due */
  const failAt = async (endpoint: string, count: number, dueInMs: number): Promise<string[]> => {
    const link = await service.addLink(`${endpoint}/`);
    const tokens: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { pk, deliveryId } = await service.record(link);
      await service.ctx.database.prisma.webhookDelivery.update({
        where: { pk },
        data: {
          attempts: 1,
          nextAttemptAt: new Date(service.ctx.clock().getTime() + dueInMs + index),
        },
      });
      tokens.push(deliveryId);
    }
    return tokens;
  };

  it('are requested in the order in which they are due, with a limit per endpoint and in total', async () => {
    const busy = await failAt('http://127.0.0.1:2', 6, 0);
    const other = await failAt('http://127.0.0.1:3', 3, 1_000);
    const { starts } = service.parts;
    expect(await starts.start({ limit: 6, perEndpoint: 4 })).toHaveLength(6);
    expect((await service.queuedWorkflows()).sort()).toEqual(
      [...busy.slice(0, 4), ...other.slice(0, 2)].sort(),
    );
    expect(
      await starts.start({ limit: 6, perEndpoint: 4, recent: { 'http://127.0.0.1:2': 4 } }),
    ).toEqual(['http://127.0.0.1:3']);
    expect(await starts.start({ limit: 6, perEndpoint: 4 })).toHaveLength(2);
    expect(await starts.start({ limit: 6, perEndpoint: 4 })).toEqual([]);
  });

  it('are requested once when two processes check at the same time', async () => {
    const failed = await failAt('http://127.0.0.1:2', 12, 0);
    const { starts } = service.parts;
    const rounds = await Promise.all(
      [1, 2, 3].map(() => starts.start({ limit: 12, perEndpoint: 12 })),
    );
    expect(rounds.flat()).toHaveLength(12);
    expect((await service.queuedWorkflows()).sort()).toEqual([...failed].sort());
  });

  it('are counted while they wait although their next attempt is due', async () => {
    await failAt('http://127.0.0.1:2', 3, -1_000);
    await failAt('http://127.0.0.1:3', 2, 60_000);
    expect(await service.parts.sender.countLate()).toBe(3);
    await service.parts.starts.start({ limit: 1, perEndpoint: 1 });
    expect(await service.parts.sender.countLate()).toBe(2);
  });

  it('keep their pace while an endpoint fails, and its first attempts wait for them', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.respondWith({ status: 500 });
    const link = await service.addLink(receiver.url());
    for (let index = 0; index < FAILING; index += 1) await service.record(link);
    service.relay.start();
    service.retries.start();
    const { prisma } = service.ctx.database;
    await eventually(async () => {
      const waiting = await prisma.webhookDelivery.count({
        where: { status: 'pending', attempts: 1, inWorkflow: false },
      });
      // Five seconds of starts, and the attempts that were in flight.
      expect(waiting).toBeLessThanOrEqual(5 * 4 + 8);
      expect(await prisma.webhookDelivery.count({ where: { attempts: 1 } })).toBe(FAILING);
    });
    const asked = await prisma.outboxCommand.findMany({ where: { kind: 'startWebhookDelivery' } });
    const times = asked.map(({ createdAt }) => createdAt.getTime());
    for (const from of times)
      expect(times.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(4);
    await receiver.stop();
  });
});
