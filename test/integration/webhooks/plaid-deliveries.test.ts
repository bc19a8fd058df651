import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { ItemWebhook } from '../../../domain/plaid/webhooks.js';
import { recordItemWebhook } from '../../../prisma/views/plaid/item-webhook.js';
import { KeyRotationRepository } from '../../../prisma/base/keys/key-rotation.repository.js';
import { PlaidWebhookKeys } from '../../../prisma/views/plaid/plaid-webhook-keys.js';
import type { LinkRow } from '../../../prisma/announcements/events/record-webhook-event.js';
import { shareDatabase } from '../../support/fixtures/test-databases.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { WebhookService, type StoredDelivery } from './webhook-service.js';

const UPDATE: ItemWebhook = {
  webhook_type: 'TRANSACTIONS',
  webhook_code: 'DEFAULT_UPDATE',
  new_transactions: 3,
  error: null,
};

describe('A webhook of the Plaid-compatible layer (plaid-compat 8.2, 8.3)', () => {
  let service: WebhookService;
  let receiver: WebhookReceiver;
  let keys: PlaidWebhookKeys;
  let link: LinkRow;
  const nextDatabase = shareDatabase();
  beforeEach(async () => {
    service = await WebhookService.open({ opened: await nextDatabase(), timeoutMs: 5_000 });
    receiver = await WebhookReceiver.start();
    keys = new PlaidWebhookKeys(service.ctx);
    await keys.ensure();
    link = await service.addLink(receiver.url(), 'connected', 'plaid');
  });
  afterEach(async () => {
    receiver.releaseHeld();
    await service.close();
    await receiver.stop();
  });

  async function record(): Promise<StoredDelivery> {
    const { deliveryId } = await service.ctx.database.transaction((tx) =>
      recordItemWebhook(service.ctx, tx, link, UPDATE),
    );
    return service.delivery({ deliveryId });
  }
  const signatures = () =>
    receiver.received.map(({ headers }) => String(headers['plaid-verification']));

  it('is attempted seven times over 11.4 hours, with the same bytes and a signature of its own', async () => {
    receiver.respondWith({ status: 500 });
    const delivery = await record();
    const plannedAfter: number[] = [];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await service.attemptWhenDue(delivery);
      const { history, nextAttemptAt } = await service.delivery(delivery);
      if (nextAttemptAt !== null)
        plannedAfter.push(
          Math.round((nextAttemptAt.getTime() - (history[0]?.startedAt.getTime() ?? 0)) / 1000),
        );
    }
    expect(await service.delivery(delivery)).toMatchObject({ status: 'exhausted', attempts: 7 });
    expect(plannedAfter).toEqual([30, 150, 630, 2550, 10_230, 40_950]);
    expect(new Set(receiver.received.map(({ rawBody }) => rawBody.toString('utf8')))).toEqual(
      new Set([
        JSON.stringify(
          {
            webhook_type: 'TRANSACTIONS',
            webhook_code: 'DEFAULT_UPDATE',
            item_id: link.linkId,
            new_transactions: 3,
            error: null,
            environment: 'sandbox',
          },
          null,
          2,
        ),
      ]),
    );
    expect(new Set(signatures()).size).toBe(7);
    const ages = signatures().map((jwt) => Number(decodeJwt(jwt).iat));
    expect(ages.every((iat, index) => index === 0 || iat > (ages[index - 1] ?? 0))).toBe(true);
    expect((await service.link(link)).state).toBe('connected');
  });

  it('has the header of the contract and none of the native ones', async () => {
    receiver.respondWith({ status: 200 });
    await service.attempt(await record());
    const [{ headers, rawBody }] = receiver.received as [(typeof receiver.received)[0]];
    const jwt = String(headers['plaid-verification']);
    expect(decodeProtectedHeader(jwt)).toEqual({
      alg: 'ES256',
      kid: (await keys.current('sandbox')).kid,
      typ: 'JWT',
    });
    expect(decodeJwt(jwt)).toEqual({
      iat: expect.any(Number),
      request_body_sha256: createHash('sha256').update(rawBody).digest('hex'),
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('service-'))).toEqual([]);
    expect(headers['content-type']).toBe('application/json');
  });

  it.each([
    ['200', { status: 200 }, 'delivered', null],
    ['204', { status: 204 }, 'pending', 'http_status'],
    ['202', { status: 202 }, 'pending', 'http_status'],
    ['410', { status: 410 }, 'pending', 'http_status'],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'pending',
      'http_status',
    ],
    [
      '503 with Retry-After',
      { status: 503, headers: { 'retry-after': '7200' } },
      'pending',
      'http_status',
    ],
    ['silence', 'hang' as const, 'pending', 'timeout'],
  ])('is judged by a response of %s', async (_, answer, status, error) => {
    receiver.respondWith(answer);
    const delivery = await record();
    await service.attempt(delivery);
    const {
      history: [attempt],
      nextAttemptAt,
      ...found
    } = await service.delivery(delivery);
    expect({ status: found.status, error: attempt?.error }).toEqual({ status, error });
    if (status === 'pending')
      expect(
        Math.round(((nextAttemptAt?.getTime() ?? 0) - (attempt?.startedAt.getTime() ?? 0)) / 1000),
      ).toBe(30);
    const after = await service.link(link);
    expect(after).toMatchObject({
      webhookDisabledAt: null,
      webhookSentCode: 'DEFAULT_UPDATE',
      webhookSentAt: attempt?.startedAt,
    });
  });

  it('is sent only where a native one may be sent', async () => {
    link = await service.addLink('http://169.254.169.254/latest', 'connected', 'plaid');
    const delivery = await record();
    await service.attempt(delivery);
    expect((await service.delivery(delivery)).history).toMatchObject([
      { error: 'address_refused' },
    ]);
  });

  it('is signed with the key that follows another, which is reported as expired', async () => {
    receiver.respondWith({ status: 200 });
    const rotations = new KeyRotationRepository(service.ctx);
    const before = (await keys.current('sandbox')).kid;
    const native = (await service.parts.keys.publishedSet()).keys.map(({ kid }) => kid);
    await rotations.publishNext('next', { leadMs: 60_000, overlapMs: 86_400_000 });
    expect(await keys.find('sandbox', before)).toMatchObject({ expiredAt: null });
    expect((await keys.current('sandbox')).kid).toBe(before);
    service.advance(61_000);
    await service.attempt(await record());
    const kid = String(decodeProtectedHeader(signatures()[0] ?? '').kid);
    expect(kid).not.toBe(before);
    expect(await keys.find('sandbox', kid)).toMatchObject({
      published: { kid, alg: 'ES256' },
      expiredAt: null,
    });
    expect((await keys.find('sandbox', before))?.expiredAt).toEqual(expect.any(Date));
    service.advance(30 * 86_400_000);
    await rotations.eraseRetired(service.ctx.clock());
    expect(await keys.find('sandbox', before)).toMatchObject({ published: { kid: before } });
    expect(await keys.find('live', before)).toBeNull();
    expect(await keys.find('sandbox', native[0] ?? '')).toBeNull();
    expect((await service.parts.keys.publishedSet()).keys.map((key) => key.kid)).not.toContain(kid);
  });

  it('is not signed with a revoked key', async () => {
    const before = await Promise.all([keys.current('sandbox'), keys.current('live')]);
    await new KeyRotationRepository(service.ctx).revoke('emergency');
    service.advance(2_000);
    const after = await Promise.all([keys.current('sandbox'), keys.current('live')]);
    expect(after.map(({ kid }) => kid)).not.toEqual(before.map(({ kid }) => kid));
    expect((await keys.find('sandbox', before[0]?.kid ?? ''))?.expiredAt).toEqual(expect.any(Date));
  });
});
