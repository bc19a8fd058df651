import { createHash } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { ENDPOINTS } from '../../../apps/console-server/src/operations/webhooks/endpoints.js';
import { EVENT_REQUEST } from '../../../apps/console-server/src/operations/webhooks/event-request.js';
import {
  CANCEL_DELIVERY,
  RETRY_DELIVERY,
} from '../../../apps/console-server/src/operations/webhooks/change-delivery.js';
import { SigningKeys } from '../../../prisma/base/keys/signing-key.repository.js';
import { PlaidWebhookKeys } from '../../../prisma/views/plaid/plaid-webhook-keys.js';
import { storage, storeLink } from '../../support/fixtures/stored-link.js';
import { storyOf, type Story } from '../links/support/story-of-link.js';
import { APP, ask, READER, serviceOfFile } from './support/console-stage.js';

serviceOfFile();

let story: Story;
beforeAll(async () => {
  story = await storyOf(storage, new Date('2026-03-01T00:00:00Z'));
});
const prisma = () => storage.ctx.database.prisma;
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

describe('The request of an event', () => {
  let keys: SigningKeys;
  beforeAll(async () => {
    keys = new SigningKeys(storage.ctx);
    await keys.ensure();
    await new PlaidWebhookKeys(storage.ctx).ensure();
  });

  /** An event of which `sent` is the body that was sent, and `body` the one that is kept. */
  async function store(fields: Record<string, unknown>): Promise<string> {
    const pk = await story.event(1, { webhook_event: 'link.state_changed' }, fields);
    await story.delivery(pk, { attempts: 2 });
    return (await prisma().webhookEvent.findUniqueOrThrow({ where: { pk } })).eventId;
  }

  it('has the bytes that are sent, and headers that are signed now', async () => {
    const body = '{"state":"connected","bank":"Crédit"}';
    const eventId = await store({ body, bodySha256: digest(body), sealedBody: null });
    const now = new Date();
    const request = await ask(
      EVENT_REQUEST,
      { ...APP, event_id: eventId },
      { person: READER, now },
    );
    expect(request).toMatchObject({
      event_id: eventId,
      method: 'POST',
      body,
      body_sha256: digest(body),
      hides_tokens: false,
    });
    const { payload } = await jwtVerify(
      request.headers['service-signature'] ?? '',
      createLocalJWKSet((await keys.publishedSet()) as JSONWebKeySet),
      { issuer: 'https://api.example' },
    );
    expect(payload).toMatchObject({
      iat: Math.floor(now.getTime() / 1000),
      app_id: 'pocket-ledger',
      environment: 'sandbox',
      request_body_sha256: digest(request.body),
    });
    expect(request.headers['service-delivery-attempt']).toBe('3');
  });

  it('shows the address without its query, which may hold a secret', async () => {
    const { url } = await ask(EVENT_REQUEST, {
      ...APP,
      event_id: await store({ body: '{}', bodySha256: digest('{}') }),
    });
    expect(new URL(url ?? '').search).toBe('');
    expect(url).toMatch(/^https:\/\/app\.example\//);
  });

  it('signs the digest of the bytes with tokens, and shows the tokens as null', async () => {
    const sent = '{"public_token":"public-sandbox-hidden"}';
    const eventId = await store({
      format: 'plaid',
      body: '{"public_token":null}',
      bodySha256: digest(sent),
    });
    const request = await ask(EVENT_REQUEST, { ...APP, event_id: eventId });
    expect(request).toMatchObject({
      body: '{"public_token":null}',
      body_sha256: digest(sent),
      hides_tokens: true,
    });
    const [, claims = ''] = (request.headers['plaid-verification'] ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      request_body_sha256: digest(sent),
    });
    expect(JSON.stringify(request)).not.toContain('public-sandbox-hidden');
  });
});

describe('The endpoints of an app', () => {
  it('are its addresses with what waits for each, and their last attempt', async () => {
    const refused = (minutes: number, httpStatus: number) => ({
      url: 'https://refusing.example/hooks?token=canary',
      status: 'pending',
      createdAt: story.at(minutes),
      lastAttemptAt: story.at(minutes + 1),
      nextAttemptAt: story.at(minutes + 30),
      history: [{ attempt: 1, httpStatus, error: 'http_status', responseExcerpt: 'canary' }],
    });
    const event = () => story.event(3, { webhook_event: 'link.state_changed' });
    await story.delivery(await event(), refused(5, 503));
    await story.delivery(await event(), refused(4, 500));
    await story.delivery(await event(), {
      url: 'https://other.example/x',
      status: 'pending',
      history: [],
      createdAt: story.at(9),
    });
    await story.delivery(await event(), { url: 'https://gone.example/', status: 'exhausted' });
    const answer = await ask(ENDPOINTS, APP, { person: READER });
    expect(answer).toEqual({
      endpoints: [
        {
          address: 'https://refusing.example/hooks',
          waiting: 2,
          oldest_at: story.at(4).toISOString(),
          last_status: 503,
          last_error: 'http_status',
          last_attempt_at: story.at(6).toISOString(),
          next_attempt_at: story.at(34).toISOString(),
          disabled: false,
        },
        {
          address: 'https://other.example/x',
          waiting: 1,
          oldest_at: story.at(9).toISOString(),
          last_status: null,
          last_error: null,
          last_attempt_at: null,
          next_attempt_at: null,
          disabled: false,
        },
      ],
      is_cut: false,
    });
  });

  it('are disabled as long as a link has the address that its receiver disabled', async () => {
    const link = await storeLink(storage, { webhook: 'https://disabled.example/a?b=canary' });
    const event = await story.event(3, { webhook_event: 'x' }, { linkId: link.linkId });
    await story.delivery(event, { status: 'disabled' });
    const disabled = async () =>
      (await ask(ENDPOINTS, APP)).endpoints
        .filter((endpoint) => endpoint.disabled)
        .map(({ address, waiting }) => ({ address, waiting }));
    expect(await disabled()).toEqual([]);
    const set = (webhookDisabledAt: Date | null) =>
      prisma().link.update({ where: { pk: link.pk }, data: { webhookDisabledAt } });
    await set(new Date());
    expect(await disabled()).toEqual([{ address: 'https://disabled.example/a', waiting: 0 }]);
    await set(null);
    expect(await disabled()).toEqual([]);
  });
});

describe('A delivery', () => {
  const stored = async (fields: Record<string, unknown>) => ({
    ...APP,
    delivery_id: await story.delivery(await story.event(3, { webhook_event: 'x' }), fields),
  });
  const statusOf = async ({ delivery_id: deliveryId }: { delivery_id: string }) =>
    (await prisma().webhookDelivery.findUniqueOrThrow({ where: { deliveryId } })).status;

  it('is retried now, while it has had no attempt', async () => {
    const input = await stored({ status: 'pending', attempts: 0, history: [] });
    expect(await ask(RETRY_DELIVERY, input)).toEqual({
      delivery_token: input.delivery_id,
      status: 'pending',
    });
    const { nextAttemptAt } = await prisma().webhookDelivery.findUniqueOrThrow({
      where: { deliveryId: input.delivery_id },
    });
    expect(nextAttemptAt).not.toBeNull();
  });

  it('is not retried once it was delivered', async () => {
    const input = await stored({ status: 'delivered' });
    await expect(ask(RETRY_DELIVERY, input)).rejects.toMatchObject({ status: 409 });
    expect(await statusOf(input)).toBe('delivered');
  });

  it('is refused as unavailable when the workflow of its retries cannot be notified', async () => {
    const input = await stored({ status: 'pending', attempts: 2, inWorkflow: true });
    await expect(ask(RETRY_DELIVERY, input)).rejects.toMatchObject({
      status: 503,
      code: 'console.unavailable',
    });
  });

  it('is canceled', async () => {
    const input = await stored({ status: 'pending', attempts: 0, history: [] });
    expect(await ask(CANCEL_DELIVERY, input)).toMatchObject({ status: 'exhausted' });
    expect(await statusOf(input)).toBe('exhausted');
  });
});
