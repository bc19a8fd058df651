import type { WebhookContent } from '../../../domain/webhooks/webhook-bodies.js';
import { WebhookClaimRepository } from '../../../prisma/webhooks/webhook-claim.repository.js';
import { RetryStartRepository } from '../../../prisma/webhooks/retry-start.repository.js';
import {
  recordWebhookEvent,
  type RecordedEvent,
} from '../../../prisma/events/record-webhook-event.js';
import { WebhookReplayRepository } from '../../../prisma/webhook-log/webhook-replay.repository.js';
import { errorOf } from '../../support/services/api-client.js';
import {
  startApiInProcess,
  tenant,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  createVerifier,
  publishedKeys,
  WebhookReceiver,
  type ReceiverResponse,
} from '../../support/receivers/webhook-receiver.js';
import { ISSUER, SendingSide, storeLink } from './sending-side.js';

const UPDATES: WebhookContent = {
  webhook_event: 'transactions.updates_available',
  has_history: false,
};
const EVERYTHING = '2020-01-01T00:00:00.000';
const DOWN: ReceiverResponse = { status: 500 };
const HOUR_MS = 3_600_000;

interface ShownDelivery {
  delivery_token: string;
  url: string | null;
  reason: string;
  status: string;
  attempts: unknown[];
}
interface ShownEvent {
  event_id: string;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
  body_sha256: string;
  deliveries: ShownDelivery[];
}

let service: ApiInProcess;
let sender: SendingSide;
let receiver: WebhookReceiver;
let token: string;
let linkId: string;
beforeAll(async () => {
  service = await startApiInProcess({ WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
  sender = await SendingSide.over(service);
  const verify = createVerifier(ISSUER, publishedKeys(service.api.baseUrl));
  receiver = await WebhookReceiver.start({
    verify: (rawBody, signature) => verify(rawBody, signature, sender.ctx.clock()),
  });
  token = await service.token('pocket-ledger');
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.respondWith({ status: 204 });
  linkId = await storeLink(service, { webhook: receiver.url() });
});
afterEach(async () => {
  await service.database.prisma.webhookEvent.deleteMany();
  await service.database.prisma.outboxCommand.deleteMany();
});
afterAll(async () => {
  await receiver?.stop();
  await sender?.close();
  await service?.close();
});

async function record(of = linkId): Promise<RecordedEvent> {
  return service.ctx.database.transaction(async (tx) =>
    recordWebhookEvent(
      sender.ctx,
      tx,
      await tx.link.findUniqueOrThrow({ where: { linkId: of } }),
      UPDATES,
    ),
  );
}
async function recordSome(count: number, of = linkId): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await record(of)).eventId);
  return ids;
}
const show = async (eventId: string) =>
  (await service.api.as(token).get(`/webhooks/events/${eventId}`)).body as ShownEvent;
const replay = (eventId: string, bearer = token) =>
  service.api.as(bearer).post(`/webhooks/events/${eventId}/replay`);
const replayRange = async (json: Record<string, unknown> = {}, bearer = token) => {
  const { status, body, text } = await service.api.as(bearer).post('/webhooks/events/replay', {
    json: { created_after: EVERYTHING, created_before: '2100-01-01', ...json },
  });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body as { matched: number; replayed: number; skipped: number; dry_run: boolean };
};
const statusesOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await show(id)).status));
const keysReceived = () => receiver.verified.map(({ webhook_idempotency_key: key }) => key);
const keyOf = async (eventId: string) =>
  (await service.database.prisma.webhookEvent.findUniqueOrThrow({ where: { eventId } }))
    .idempotencyKey;
const patch = (of: string, json: unknown) =>
  service.api.as(token).send('PATCH', `/links/${of}`, { json });
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

describe('A replay', () => {
  it('delivers an event whose receiver returned 500 eleven times (webhooks 12, check 5)', async () => {
    receiver.respondWith(DOWN);
    const { eventId, deliveryId } = await record();
    await sender.sendAll();
    expect(await show(eventId)).toMatchObject({
      status: 'exhausted',
      attempts: 11,
      next_attempt_at: null,
    });
    expect(receiver.received).toHaveLength(11);

    receiver.respondWith({ status: 204 });
    const { status, body } = await replay(eventId);
    expect(status).toBe(200);
    const { delivery_token: deliveryToken, ...rest } = body as {
      event_id: string;
      delivery_token: string;
    };
    expect(rest).toEqual({ event_id: eventId });
    expect(await show(eventId)).toMatchObject({ status: 'pending', attempts: 0 });
    await sender.sendAll();
    const shown = await show(eventId);
    expect(shown).toMatchObject({
      status: 'delivered',
      attempts: 1,
      deliveries: [
        { delivery_token: deliveryId, reason: 'event', status: 'exhausted' },
        { delivery_token: deliveryToken, reason: 'replay', status: 'delivered' },
      ],
    });
    expect(shown.deliveries.map(({ attempts }) => attempts.length)).toEqual([11, 1]);

    // webhooks 9: the same body bytes, key and timestamp; a new token; attempts from 1; a fresh signature.
    const [first, last] = [receiver.received[0], receiver.received.at(-1)];
    if (first === undefined || last === undefined) throw new Error('nothing was received');
    expect(last.rawBody.equals(first.rawBody)).toBe(true);
    expect(last.headers).toMatchObject({
      'service-delivery-token': deliveryToken,
      'service-delivery-attempt': '1',
    });
    expect(first.headers).toMatchObject({
      'service-delivery-token': deliveryId,
      'service-delivery-attempt': '1',
    });
    expect(last.signatures).not.toEqual(first.signatures);
    expect(receiver.received.map(({ refused }) => refused)).toEqual(
      Array.from({ length: 12 }, () => null),
    );
  });

  it('has the whole schedule ahead of it', async () => {
    const { eventId } = await record();
    await sender.sendAll();
    receiver.respondWith(DOWN);
    await replay(eventId);
    await sender.sendAll();
    expect(await show(eventId)).toMatchObject({
      status: 'exhausted',
      attempts: 11,
      deliveries: [{ status: 'delivered' }, { status: 'exhausted' }],
    });
  });

  it('ends an open delivery of the event', async () => {
    receiver.respondWith(DOWN);
    const { eventId, deliveryId } = await record();
    await sender.attempt(deliveryId, sender.ctx.clock());
    expect(await show(eventId)).toMatchObject({ status: 'pending', attempts: 1 });
    await new RetryStartRepository(sender.ctx).start({ limit: 1, perEndpoint: 1 });
    receiver.respondWith({ status: 204 });
    await replay(eventId);
    await sender.sendAll();
    expect(await show(eventId)).toMatchObject({
      status: 'delivered',
      deliveries: [{ delivery_token: deliveryId, status: 'replaced' }, { status: 'delivered' }],
    });
    expect(
      (
        await service.database.prisma.outboxCommand.findMany({
          where: { kind: 'endWebhookDelivery' },
        })
      ).map(({ payload }) => payload),
    ).toEqual([{ deliveryId }]);
    // A workflow that would still attempt the first one learns of it from the row.
    sender.advance(24 * HOUR_MS);
    expect(
      await sender.claims.claimAttempt(deliveryId, { perEndpoint: 8, leaseMs: 1_000 }),
    ).toEqual({ kind: 'done', status: 'replaced', attempts: 1 });
    expect(receiver.received).toHaveLength(2);
  });

  it('is not undone by a response to the replaced delivery', async () => {
    const { eventId, deliveryId } = await record();
    const claim = await sender.claims.claimAttempt(deliveryId, {
      perEndpoint: 8,
      leaseMs: 60_000,
    });
    if (claim.kind !== 'due') throw new Error(claim.kind);
    await replay(eventId);
    const outcome = {
      deliveryPk: claim.delivery.pk,
      attempt: 1,
      startedAt: new Date(),
      durationMs: 1,
      shiftMs: 0,
      responseExcerpt: null,
    };
    await sender.outcomes.recordOutcomes([
      {
        ...outcome,
        httpStatus: 500,
        error: 'http_status',
        status: 'pending',
        nextAttemptAt: new Date(),
      },
    ]);
    expect(await show(eventId)).toMatchObject({
      status: 'pending',
      attempts: 0,
      deliveries: [
        { status: 'replaced', attempts: [{ attempt: 1, http_status: 500 }] },
        { status: 'pending' },
      ],
    });
    expect(await service.database.prisma.outboxCommand.count()).toBe(0);
  });

  it('goes to the current address of the link', async () => {
    const { eventId } = await record();
    await sender.sendAll();
    await patch(linkId, { webhook: receiver.url('/moved') });
    await replay(eventId);
    await sender.sendAll();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks', '/moved']);
    expect((await show(eventId)).deliveries.map(({ url }) => url)).toEqual([
      receiver.url(),
      receiver.url('/moved'),
    ]);
  });

  it('of an event without an address goes to the current address of the link', async () => {
    const silent = await storeLink(service);
    const { eventId } = await record(silent);
    expect(errorOf(await replay(eventId))).toMatchObject({
      status: 400,
      code: 'link_error.bad_config',
    });
    await patch(silent, { webhook: receiver.url('/late') });
    expect((await replay(eventId)).status).toBe(200);
    await sender.sendAll();
    expect(await show(eventId)).toMatchObject({
      status: 'delivered',
      deliveries: [
        { url: null, status: 'no_address' },
        { url: receiver.url('/late'), status: 'delivered' },
      ],
    });
  });

  it('of a deleted link goes to its last address, even when the record of the link is gone', async () => {
    const { eventId } = await record();
    await patch(linkId, { webhook: receiver.url('/last') });
    await service.api.as(token).delete(`/links/${linkId}`);
    await sender.sendAll();
    receiver.received.length = 0;
    expect((await replay(eventId)).status).toBe(200);
    await sender.sendAll();
    await service.database.prisma.link.delete({ where: { linkId } });
    expect((await replay(eventId)).status).toBe(200);
    await sender.sendAll();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/last', '/last']);
  });

  it('is refused while the address is disabled', async () => {
    const { eventId } = await record();
    await sender.sendAll();
    await service.database.prisma.link.update({
      where: { linkId },
      data: { webhookDisabledAt: new Date() },
    });
    expect(errorOf(await replay(eventId))).toMatchObject({
      status: 400,
      code: 'link_error.bad_config',
    });
    expect(await show(eventId)).toMatchObject({
      status: 'delivered',
      deliveries: [{ status: 'delivered' }],
    });
  });

  it('leaves one delivery open when an event is replayed many times at once', async () => {
    const { eventId } = await record();
    for (let round = 1; round <= 10; round += 1) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => replay(eventId)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200));
      const { deliveries } = await show(eventId);
      expect(deliveries.map(({ status }) => status)).toEqual([
        ...Array.from({ length: 5 * round }, () => 'replaced'),
        'pending',
      ]);
    }
    expect(await service.database.prisma.webhookDelivery.count({ where: { newest: true } })).toBe(
      1,
    );
  });

  it('of the test link event carries the key of the caller', async () => {
    const { body } = await service.api.as(token).post(`/webhooks/test/link/${linkId}`, {
      json: { webhook_event: 'link.state_changed', webhook_idempotency_key: 'mine' },
    });
    const { delivery_token: deliveryToken } = body as { delivery_token: string };
    await sender.sendAll();
    expect(receiver.received[0]).toMatchObject({
      refused: null,
      headers: { 'service-delivery-token': deliveryToken },
      body: { webhook_idempotency_key: 'mine' },
    });
  });
});

describe('A range replay', () => {
  it('delivers everything to a receiver that was down for the whole schedule', async () => {
    receiver.respondWith(DOWN);
    const ids = await recordSome(5);
    await sender.sendAll();
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['exhausted']));
    receiver.respondWith({ status: 204 });
    receiver.received.length = 0;
    expect(await replayRange()).toEqual({ matched: 5, replayed: 5, skipped: 0, dry_run: false });
    await sender.sendAll();
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['delivered']));
    expect(keysReceived()).toEqual(await Promise.all(ids.map(keyOf)));
    expect(await replayRange()).toEqual({ matched: 0, replayed: 0, skipped: 0, dry_run: false });
  });

  it('delivers each event once after 410 disabled the address and PATCH enabled it (webhooks 12, check 6)', async () => {
    receiver.respondWith({ status: 410 });
    const [first = ''] = await recordSome(1);
    await sender.sendAll();
    expect(receiver.received).toHaveLength(1);
    const shown = (await service.api.as(token).get(`/links/${linkId}`)).body as {
      webhook_disabled_at: string | null;
    };
    expect(shown.webhook_disabled_at).not.toBeNull();
    const later = await recordSome(3);
    await sender.sendAll();
    expect(await statusesOf([first, ...later])).toEqual([
      'disabled',
      'disabled',
      'disabled',
      'disabled',
    ]);
    expect(receiver.received).toHaveLength(1);
    expect(await replayRange()).toEqual({ matched: 4, replayed: 0, skipped: 4, dry_run: false });

    receiver.respondWith({ status: 204 });
    receiver.received.length = 0;
    expect((await patch(linkId, { webhook: receiver.url() })).body).toMatchObject({
      webhook_disabled_at: null,
    });
    expect(await replayRange()).toEqual({ matched: 4, replayed: 4, skipped: 0, dry_run: false });
    expect(await replayRange()).toMatchObject({ matched: 0 });
    await sender.sendAll();
    expect(keysReceived()).toEqual(await Promise.all([first, ...later].map(keyOf)));
    expect(await statusesOf([first, ...later])).toEqual([
      'delivered',
      'delivered',
      'delivered',
      'delivered',
    ]);
  });

  it('is independent of the endpoint of another app, even at the same address', async () => {
    const rivals = await storeLink(service, { appId: 'rival', webhook: receiver.url() });
    const { eventId: open } = await record(rivals);
    const gone = await storeLink(service, { webhook: receiver.url() });
    const deleted = await storeLink(service, { webhook: receiver.url() });
    await Promise.all([linkId, gone, deleted].map((of) => record(of)));
    expect((await patch(linkId, { webhook: null })).status).toBe(200);
    expect((await service.api.as(token).delete(`/links/${deleted}`)).status).toBe(204);
    receiver.respondWith(({ body }) => ({ status: body.link_id === gone ? 410 : 204 }));
    await sender.sendAll();
    await recordSome(1, rivals);
    await sender.sendAll();

    const rival = service.api.as(await service.token('rival'));
    expect((await rival.get(`/links/${rivals}`)).body).toMatchObject({
      webhook: receiver.url(),
      webhook_disabled_at: null,
    });
    const { events } = (await rival.get(`/webhooks/events?link_id=${rivals}`)).body as {
      events: ShownEvent[];
    };
    expect(
      events.map(({ event_id: id, status, attempts }) => [id === open, status, attempts]),
    ).toEqual([
      [true, 'delivered', 1],
      [false, 'delivered', 1],
    ]);
    expect((await service.api.as(token).get(`/links/${gone}`)).body).toMatchObject({
      webhook_disabled_at: expect.any(String),
    });
  });

  it('delivers all after 48 h of downtime, and the key prevents double work (webhooks 12, check 9)', async () => {
    const handled = new Set<string>();
    let double = 0;
    const work = { status: 204 };
    const begin = sender.ctx.clock();
    let upAgainMs = 12 * HOUR_MS;
    receiver.respondWith(({ body }) => {
      if (sender.ctx.clock().getTime() - begin.getTime() < upAgainMs) return DOWN;
      if (handled.has(body.webhook_idempotency_key)) double += 1;
      handled.add(body.webhook_idempotency_key);
      return work;
    });
    const ids = await recordSome(3);
    await sender.sendAll();
    expect(await statusesOf(ids)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(handled.size).toBe(3);

    upAgainMs = Number.POSITIVE_INFINITY;
    const lost = await recordSome(3);
    await sender.sendAll();
    expect(await statusesOf(lost)).toEqual(['exhausted', 'exhausted', 'exhausted']);
    sender.advance(24 * HOUR_MS);
    upAgainMs = 0;
    expect(await replayRange()).toMatchObject({ matched: 3, replayed: 3 });
    // One more than requested: an event that it already had is recognized by its key.
    await replay(ids[0] ?? '');
    await sender.sendAll();
    expect(handled.size).toBe(6);
    expect(double).toBe(1);
  });

  it('only counts in a dry run', async () => {
    const ids = await recordSome(2);
    expect(await replayRange({ status: ['pending'], dry_run: true })).toEqual({
      matched: 2,
      replayed: 0,
      skipped: 0,
      dry_run: true,
    });
    expect((await show(ids[0] ?? '')).deliveries).toHaveLength(1);
  });

  it('starts with the oldest, counts all, and omits those without a usable address before the limit', async () => {
    const silent = await storeLink(service);
    const [mute = ''] = await recordSome(1, silent);
    const ids = await recordSome(4);
    await service.database.prisma.webhookDelivery.updateMany({
      where: { event: { linkId } },
      data: { status: 'exhausted', nextAttemptAt: null },
    });
    expect(await replayRange({ limit: 2 })).toEqual({
      matched: 5,
      replayed: 2,
      skipped: 1,
      dry_run: false,
    });
    expect(await statusesOf([mute, ...ids])).toEqual([
      'no_address',
      'pending',
      'pending',
      'exhausted',
      'exhausted',
    ]);
    expect(await replayRange({ limit: 2, status: ['exhausted'] })).toEqual({
      matched: 2,
      replayed: 2,
      skipped: 0,
      dry_run: false,
    });
  });

  it('selects the events that match its filters, and nothing of another app or environment', async () => {
    const other = await storeLink(service, { webhook: receiver.url() });
    const [mine = ''] = await recordSome(1);
    const [others = ''] = await recordSome(1, other);
    await service.database.prisma.webhookDelivery.updateMany({
      data: { status: 'exhausted', nextAttemptAt: null },
    });
    const rival = await service.token('rival');
    expect(await replayRange({ link_id: linkId }, rival)).toMatchObject({ matched: 0 });
    expect(await replayRange({}, rival)).toMatchObject({ matched: 0 });
    expect(await replayRange({}, await service.token('pocket-ledger', 'live'))).toMatchObject({
      matched: 0,
    });
    expect(await replayRange({ webhook_event: 'link.state_changed' })).toMatchObject({
      matched: 0,
    });
    expect(await replayRange({ status: ['delivered'] })).toMatchObject({ matched: 0 });
    expect(await replayRange({ created_after: '2099-01-01' })).toMatchObject({ matched: 0 });
    expect(await replayRange({ created_before: '2020-01-02' })).toMatchObject({ matched: 0 });
    expect(
      await replayRange({ link_id: linkId, webhook_event: 'transactions.updates_available' }),
    ).toMatchObject({ matched: 1, replayed: 1 });
    expect(await statusesOf([mine, others])).toEqual(['pending', 'exhausted']);
  });

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
  const mostInASecond = (starts: readonly { at: number }[]): number =>
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
    const punctual = await SendingSide.over(service);
    const ids = await recordSome(60);
    await exhaustAll();
    await replayRange();
    expect((await startsOf()).map(({ eventId }) => eventId)).toEqual(ids);
    const starts = watchStarts();
    punctual.relay.start();
    await receiver.until(60);
    await punctual.close();
    expect(starts.map(({ eventId }) => eventId)).toEqual(ids);
    expect(mostInASecond(starts)).toBeLessThanOrEqual(20);
  });

  it('starts at most 20 deliveries in any second when the whole range is overdue and two processes send', async () => {
    const senders = [await SendingSide.over(service), await SendingSide.over(service)];
    const ids = await recordSome(70);
    await exhaustAll();
    await replayRange();
    const starts = watchStarts();
    for (const side of senders) {
      side.advance(HOUR_MS);
      side.relay.start();
    }
    await receiver.until(70);
    for (const side of senders) await side.close();
    expect(starts.map(({ eventId }) => eventId).sort()).toEqual([...ids].sort());
    expect(mostInASecond(starts)).toBeLessThanOrEqual(20);
    expect(receiver.received).toHaveLength(70);
  });

  it('keeps its pace after an outage, as does another range beside it', async () => {
    const absent = await SendingSide.over(service);
    const other = await storeLink(service, { webhook: receiver.url() });
    const ranges = [await recordSome(45), await recordSome(30, other)];
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
      await absent.attempt(delivery.deliveryId, delivery.nextAttemptAt ?? new Date());
    }
    absent.advance(HOUR_MS);
    const starts = watchStarts();
    absent.relay.start();
    await receiver.until(75);
    await absent.close();
    for (const [index, ids] of ranges.entries()) {
      const resumed = starts.filter(({ eventId }) => ids.includes(eventId));
      expect(resumed.map(({ eventId }) => eventId)).toEqual(ids.slice(index === 0 ? 10 : 0));
      expect(mostInASecond(resumed)).toBeLessThanOrEqual(20);
    }
  });

  it('sends each event once when two run at the same time', async () => {
    const ids = await recordSome(20);
    await service.database.prisma.webhookDelivery.updateMany({
      data: { status: 'exhausted', nextAttemptAt: null },
    });
    const counts = await Promise.all([replayRange(), replayRange(), replayRange()]);
    expect(counts.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(20);
    expect(
      await service.database.prisma.webhookDelivery.count({ where: { reason: 'replay' } }),
    ).toBe(20);
    expect(await statusesOf(ids)).toEqual(ids.map(() => 'pending'));
  });

  it('sends nothing to an address that is disabled in the meantime', async () => {
    await recordSome(1);
    await service.database.prisma.webhookDelivery.updateMany({
      data: { status: 'exhausted', nextAttemptAt: null },
    });
    let replaying: Promise<unknown> = Promise.resolve();
    await service.ctx.database.transaction(async (tx) => {
      await tx.link.update({ where: { linkId }, data: { webhookDisabledAt: new Date() } });
      replaying = new WebhookReplayRepository(service.ctx).replayRange(tenant('pocket-ledger'), {
        filter: { status: ['exhausted'] },
        limit: 10,
        dryRun: false,
      });
      // It has counted and waits for the link. Within one transaction this view never changes.
      await eventually(async () => {
        const { rows } = await service.database.pool.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        expect(rows).toHaveLength(1);
      });
    });
    expect(await replaying).toMatchObject({ replayed: 0 });
  });

  it.each([
    [{ created_after: undefined }, ['body.created_after']],
    [{ created_after: 'soon' }, ['body.created_after']],
    [{ status: ['replaced'] }, ['body.status.0']],
    [{ status: [] }, ['body.status']],
    [{ limit: 0 }, ['body.limit']],
    [{ limit: 1001 }, ['body.limit']],
    [{ dry_run: 'yes' }, ['body.dry_run']],
  ])('is refused when malformed: %j', async (json, locations) => {
    const answer = await service.api
      .as(token)
      .post('/webhooks/events/replay', { json: { created_after: EVERYTHING, ...json } });
    expect(errorOf(answer)).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations,
    });
  });
});
