import { WebhookClaimRepository } from '../../../prisma/announcements/webhooks/webhook-claim.repository.js';
import { WebhookService, storeLink } from './webhook-service.js';
import {
  HOUR_MS,
  linkId,
  receiver,
  recordSome,
  replayRange,
  service,
  startReplays,
} from './support/replay-stage.js';

startReplays();

const startsOf = async (reason = 'replay') => {
  const rows = await service.database.prisma.webhookDelivery.findMany({
    where: { reason },
    include: { event: true },
    orderBy: [{ nextAttemptAt: 'asc' }, { pk: 'asc' }],
  });
  return rows.map(({ event, nextAttemptAt }) => ({
    eventId: event.eventId,
    at: nextAttemptAt?.getTime() ?? 0,
  }));
};

describe('A range replay', () => {
  /**
   * The times at which each first attempt was claimed from now on. Later steps depend on the speed
   * of this computer.
   */
  const watchStarts = (): { eventId: string; at: number }[] => {
    const starts: { eventId: string; at: number }[] = [];
    const { claimFirstAttempts: claim } = WebhookClaimRepository.prototype;
    jest
      .spyOn(WebhookClaimRepository.prototype, 'claimFirstAttempts')
      .mockImplementation(async function (this: WebhookClaimRepository, options) {
        const at = Date.now();
        const claimed = await claim.call(this, options);
        starts.push(...claimed.due.map(({ eventId }) => ({ eventId, at })));
        return claimed;
      });
    return starts;
  };
  const maxInASecond = (starts: readonly { at: number }[]): number =>
    Math.max(
      ...starts.map(
        ({ at: from }) => starts.filter(({ at }) => at >= from && at < from + 1_000).length,
      ),
    );
  const exhaustAll = () =>
    service.database.prisma.webhookDelivery.updateMany({
      data: { status: 'exhausted', nextAttemptAt: null },
    });

  it('starts at most 20 deliveries in any second, in the order of their creation', async () => {
    // By its clock nothing is overdue.
    const punctual = await WebhookService.over(service);
    const ids = await recordSome(45);
    await exhaustAll();
    await replayRange();
    expect((await startsOf()).map(({ eventId }) => eventId)).toEqual(ids);
    const starts = watchStarts();
    punctual.relay.start();
    await receiver.until(45);
    await punctual.close();
    expect(starts.map(({ eventId }) => eventId)).toEqual(ids);
    expect(maxInASecond(starts)).toBeLessThanOrEqual(20);
  });

  it('starts at most 20 deliveries in any second when the whole range is overdue and two processes send', async () => {
    const senders = [await WebhookService.over(service), await WebhookService.over(service)];
    const ids = await recordSome(50);
    await exhaustAll();
    await replayRange();
    const starts = watchStarts();
    for (const side of senders) {
      side.advance(HOUR_MS);
      side.relay.start();
    }
    await receiver.until(50);
    for (const side of senders) await side.close();
    expect(starts.map(({ eventId }) => eventId).sort()).toEqual([...ids].sort());
    expect(maxInASecond(starts)).toBeLessThanOrEqual(20);
    expect(receiver.received).toHaveLength(50);
  });

  it('keeps its pace after an outage, as does another range beside it', async () => {
    const absent = await WebhookService.over(service);
    const other = await storeLink(service, { webhook: receiver.url() });
    const ranges = [await recordSome(35), await recordSome(25, other)];
    await service.database.prisma.webhookDelivery.updateMany({
      data: { status: 'exhausted', nextAttemptAt: null },
    });
    await replayRange({ link_id: linkId });
    await replayRange({ link_id: other });
    // Ten deliveries of the first range are sent, then the worker is unavailable for an hour.
    for (const { eventId } of (await startsOf()).filter(({ eventId: id }) =>
      ranges[0]?.slice(0, 10).includes(id),
    )) {
      const delivery = await service.database.prisma.webhookDelivery.findFirstOrThrow({
        where: { event: { eventId }, newest: true },
      });
      await absent.attemptWhenDue(delivery);
    }
    absent.advance(HOUR_MS);
    const starts = watchStarts();
    absent.relay.start();
    await receiver.until(60);
    await absent.close();
    for (const [index, ids] of ranges.entries()) {
      const resumed = starts.filter(({ eventId }) => ids.includes(eventId));
      expect(resumed.map(({ eventId }) => eventId)).toEqual(ids.slice(index === 0 ? 10 : 0));
      expect(maxInASecond(resumed)).toBeLessThanOrEqual(20);
    }
  });
});
