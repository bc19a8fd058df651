import { Pool } from 'undici';
import { createWebhookSender } from '../../../apps/webhooks/src/sending/webhook-sender.js';
import type { DueDelivery } from '../../../prisma/announcements/webhooks/due-delivery.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

// webhooks 7, "Answer". Test receivers are at private addresses, so the connections declare their
// kind.
describe('The response of a receiver', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    receiver.respondWith({ status: 500, body: 'o'.repeat(600) });
  });
  afterAll(() => receiver.stop());

  /**
   * The excerpt of one attempt, by connections that declare the receiver's address public or
   * private.
   */
  async function excerptFrom({ isPrivate }: { isPrivate: boolean }): Promise<string | null> {
    const dispatcher = new Pool(new URL(receiver.url()).origin);
    const noHeaders = async () => ({});
    const sender = createWebhookSender({
      envelopes: { native: noHeaders, plaid: noHeaders },
      timeoutMs: { native: 5_000, plaid: 5_000 },
      openBody: async () => '{}',
      connections: { to: async () => ({ dispatcher, isPrivate }) },
      clock: () => new Date(0),
    });
    const url = receiver.url();
    const delivery = { format: 'native', sealedBody: null, body: '{}', url } as DueDelivery;
    const { signal } = new AbortController();
    const { httpStatus, responseExcerpt } = await sender.send(delivery, signal);
    await dispatcher.close();
    expect(httpStatus).toBe(500);
    return responseExcerpt;
  }

  it('is stored up to 512 bytes when its address is public', async () => {
    expect(await excerptFrom({ isPrivate: false })).toBe('o'.repeat(512));
  });

  it('is not stored when its address is private and allowed only by a setting', async () => {
    expect(await excerptFrom({ isPrivate: true })).toBeNull();
  });
});
