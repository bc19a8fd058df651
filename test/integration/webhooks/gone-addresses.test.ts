import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { WebhookService } from './webhook-service.js';

describe('A 410 response', () => {
  let service: WebhookService;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    service = await WebhookService.open();
    receiver = await WebhookReceiver.start({ verify: await service.verifier() });
  });
  afterAll(async () => {
    await receiver.stop();
    await service.close();
  });

  it('disables the address for the link, stops its open deliveries there, and nothing else', async () => {
    const link = await service.addLink(receiver.url());
    const sibling = await service.addLink(receiver.url());
    const [gone, open, elsewhere, other] = [
      await service.record(link),
      await service.record(link),
      await service.record(link),
      await service.record(sibling),
    ];
    await service.ctx.database.prisma.webhookDelivery.update({
      where: { pk: elsewhere.pk },
      data: { url: receiver.url('/moved') },
    });
    await service.ctx.database.prisma.webhookDelivery.updateMany({
      where: { pk: { in: [open.pk, elsewhere.pk] } },
      data: { inWorkflow: true },
    });
    receiver.respondWith({ status: 410 });

    expect(await service.attempt(gone)).toEqual({ end: { status: 'disabled', attempts: 1 } });
    const disabled = await service.link(link);
    expect(disabled.webhookDisabledAt).toBeInstanceOf(Date);
    expect(disabled.revision).toBe(link.revision + 1n);
    const statusOf = async (delivery: { deliveryId: string }) =>
      (await service.delivery(delivery)).status;
    expect(await Promise.all([gone, open, elsewhere, other].map(statusOf))).toEqual([
      'disabled',
      'disabled',
      'pending',
      'pending',
    ]);
    expect((await service.link(sibling)).webhookDisabledAt).toBeNull();
    expect(
      (
        await service.ctx.database.prisma.outboxCommand.findMany({
          where: { kind: 'endWebhookDelivery' },
        })
      ).map(({ payload }) => payload),
    ).toEqual([{ deliveryId: open.deliveryId }]);

    // Later events are recorded, not sent. Setting the address again enables it.
    expect(await service.record(link)).toMatchObject({
      status: 'disabled',
      nextAttemptAt: null,
      attempts: 0,
    });
    expect(await service.attempt(open)).toEqual({ end: { status: 'disabled', attempts: 0 } });
    expect(receiver.received).toHaveLength(1);
    await service.ctx.database.prisma.link.update({
      where: { pk: link.pk },
      data: { webhookDisabledAt: null },
    });
    expect(await service.record(link)).toMatchObject({ status: 'pending' });
  });

  it('does not disable an address that replaced the one that is gone', async () => {
    const link = await service.addLink(receiver.url('/old'));
    const delivery = await service.record(link);
    await service.ctx.database.prisma.link.update({
      where: { pk: link.pk },
      data: { webhook: receiver.url('/new') },
    });
    receiver.respondWith({ status: 410 });
    await service.attempt(delivery);
    expect(await service.link(link)).toMatchObject({
      webhookDisabledAt: null,
      revision: link.revision,
    });
  });

  it('leaves later events of the link recorded and not sent', async () => {
    expect(await service.record(await service.addLink(null))).toMatchObject({
      status: 'no_address',
      url: null,
      nextAttemptAt: null,
    });
  });
});
