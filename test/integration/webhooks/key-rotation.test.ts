import { createLocalJWKSet, decodeProtectedHeader } from 'jose';
import { KeyRotationRepository } from '../../../prisma/base/keys/key-rotation.repository.js';
import { createVerifier, WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { BASE_URL, WebhookService } from './webhook-service.js';

const HOUR_MS = 3_600_000;

describe('webhooks 12, check 4: a rotation between attempts', () => {
  let service: WebhookService;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    service = await WebhookService.open();
    receiver = await WebhookReceiver.start({
      verify: async (rawBody, signature) =>
        createVerifier(BASE_URL, createLocalJWKSet(await service.parts.keys.publishedSet()))(
          rawBody,
          signature,
          service.ctx.clock(),
        ),
    });
  });
  afterAll(async () => {
    await receiver?.stop();
    await service?.close();
  });

  it('signs attempt 2 with the new kid; both keys are in the set, and 24 h later only the new one', async () => {
    const published = async () =>
      (await service.parts.keys.publishedSet()).keys.map(({ kid }) => kid);
    const [old] = await published();
    receiver.respondWith({ status: 500 });
    const delivery = await service.record(await service.addLink(receiver.url()));
    await service.attempt(delivery);

    const { kid } = await new KeyRotationRepository(service.ctx).publishNext('between', {
      leadMs: 1,
      overlapMs: 24 * HOUR_MS,
    });
    service.advance(2_000);
    receiver.respondWith({ status: 204 });
    await service.attemptWhenDue(delivery);
    expect(receiver.received.map(({ refused }) => refused)).toEqual([null, null]);
    expect(
      receiver.received.map(({ signatures }) => decodeProtectedHeader(signatures[0] ?? '').kid),
    ).toEqual([old, kid]);
    expect(await published()).toEqual([kid, old]);
    service.advance(24 * HOUR_MS);
    expect(await published()).toEqual([kid]);
  });

  it('signs a retry after a revocation with the remaining key', async () => {
    receiver.received.length = 0;
    receiver.respondWith({ status: 500 });
    const delivery = await service.record(await service.addLink(receiver.url()));
    await service.attempt(delivery);
    const kid = await new KeyRotationRepository(service.ctx).revoke('emergency');
    receiver.respondWith({ status: 204 });
    await service.attemptWhenDue(delivery);
    expect(receiver.received.map(({ refused }) => refused)).toEqual([null, null]);
    expect(decodeProtectedHeader(receiver.received[1]?.signatures[0] ?? '').kid).toBe(kid);
  });
});
