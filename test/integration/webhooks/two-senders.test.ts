import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { WebhookService } from './webhook-service.js';

const EVENTS = 60;

describe('Two senders over one database', () => {
  let senders: WebhookService[] = [];
  let receivers: WebhookReceiver[] = [];

  beforeEach(async () => {
    const first = await WebhookService.open();
    senders = [first, await WebhookService.open({ join: first.address })];
    receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()];
  });
  afterEach(async () => {
    for (const sender of [...senders].reverse()) await sender.close();
    for (const receiver of receivers) await receiver.stop();
  });

  it('send nothing twice, and together make at most 8 attempts at a time per endpoint', async () => {
    const [first] = senders;
    if (first === undefined) throw new Error('there are two senders');
    for (const receiver of receivers) {
      const link = await first.addLink(receiver.url());
      for (let index = 0; index < EVENTS; index += 1) await first.record(link);
    }
    for (const { relay } of senders) relay.start();
    for (const receiver of receivers) {
      const received = await receiver.until(EVENTS);
      const tokens = received.map(({ headers }) => headers['service-delivery-token']);
      expect({ tokens: tokens.length, distinctTokens: new Set(tokens).size }).toEqual({
        tokens: EVENTS,
        distinctTokens: EVENTS,
      });
      expect(receiver.maxOpen).toBeLessThanOrEqual(8);
    }
    const { prisma } = first.ctx.database;
    await eventually(async () =>
      expect(await prisma.webhookDelivery.count({ where: { status: 'delivered' } })).toBe(
        2 * EVENTS,
      ),
    );
    const made = senders.map(
      ({ log }) => log.filter(({ msg }) => msg === 'webhook.attempted').length,
    );
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(2 * EVENTS);
  });
});
