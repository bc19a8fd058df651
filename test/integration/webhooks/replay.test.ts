import { RetryStartRepository } from '../../../prisma/announcements/webhooks/retry-start.repository.js';
import { errorOf } from '../../support/services/api-client.js';
import { storeLink } from './webhook-service.js';
import {
  DOWN,
  HOUR_MS,
  linkId,
  patch,
  receiver,
  record,
  replay,
  sender,
  service,
  show,
  startReplays,
  token,
} from './support/replay-stage.js';

startReplays();

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
    await sender.attempt({ deliveryId });
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
      await sender.parts.claims.claimAttempt(deliveryId, { perEndpoint: 8, leaseMs: 1_000 }),
    ).toEqual({ kind: 'done', status: 'replaced', attempts: 1 });
    expect(receiver.received).toHaveLength(2);
  });

  it('is not undone by a response to the replaced delivery', async () => {
    const { eventId, deliveryId } = await record();
    const claim = await sender.parts.claims.claimAttempt(deliveryId, {
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
    await sender.parts.outcomes.recordOutcomes([
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
