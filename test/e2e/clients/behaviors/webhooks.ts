import { randomUUID } from 'node:crypto';
import { signWebhook } from '../../../../apps/platform/src/envelopes/sign-webhook.js';
import { KeyRotationRepository } from '../../../../prisma/base/keys/key-rotation.repository.js';
import { SigningKeys } from '../../../../prisma/base/keys/signing-key.repository.js';
import {
  FORGED_SIGNATURES,
  GOOD_AGES,
  OTHER_BODIES,
  PUBLISHED,
  signedAt,
  signedFor,
  SIGNATURES_FOR_OTHERS,
  VECTOR_AT,
  VECTOR_BODY,
  VECTOR_ISSUER,
  VECTOR_KEY_ID,
  VECTOR_OWNER,
  VECTOR_SIGNATURE,
} from '../../../support/receivers/webhook-forgeries.js';
import { WebhookReceiver } from '../../../support/receivers/webhook-receiver.js';
import { startApiInProcess, type ApiInProcess } from '../../../support/services/api-in-process.js';
import { openHttpGate } from '../../../support/services/http-gate.js';
import type { Stage } from '../support/stage.js';
import type { Behavior } from './behavior.js';

/** The first step of docs/webhooks.md, "Verifying", that each forgery fails. */
const REASONS: Readonly<Record<string, string>> = {
  'alg none': 'malformed_signature',
  'HS256 with the public key as secret': 'malformed_signature',
  'a key in the JWT header': 'malformed_signature',
  'a key at an address in the JWT header': 'malformed_signature',
  'a key that claims the kid of ours': 'wrong_signature',
  'a kid not in the set': 'unknown_key',
  'an iat of yesterday': 'too_old',
  'an iat of more than five minutes ago': 'too_old',
  'an iat of more than a minute ahead': 'too_new',
  'another issuer': 'wrong_issuer',
  'another idempotency key': 'wrong_event',
  'no hash of the body': 'wrong_body',
  'two signatures in one header': 'malformed_signature',
  'no signature': 'no_signature',
  'an event of another app': 'wrong_app',
  'an event of the other environment': 'wrong_environment',
  'a signature that does not say whose event it is': 'wrong_app',
};

/** A receiver at the time of the test vector. @returns the key of the event, or the reason of its refusal */
async function receiverOfVector(
  { driver }: Stage,
  owner: object = {},
): Promise<(body: Buffer, signature: unknown, header?: string) => Promise<unknown>> {
  const name = `receiver ${randomUUID()}`;
  await driver.result('new', { base_url: VECTOR_ISSUER, key_set: PUBLISHED, ...owner }, name);
  return async (body, signature, header = 'service-signature') => {
    const { ok, error } = await driver.call(
      'webhooks.verify',
      {
        body_base64: body.toString('base64'),
        headers: { 'content-type': 'application/json', [header]: signature },
        received_at: VECTOR_AT.toISOString(),
      },
      name,
    );
    if (error !== undefined) return [error.family, error.code];
    return (ok as { webhook_idempotency_key: string }).webhook_idempotency_key;
  };
}

const refused = (name: string) => ['WebhookVerificationError', REASONS[name]];

const FORGERY_BEHAVIORS: readonly Behavior[] = [
  [
    'accepts the webhook of the test vector, at every allowed age and with a header in any case',
    async (stage) => {
      const verify = await receiverOfVector(stage);
      expect(await verify(VECTOR_BODY, VECTOR_SIGNATURE)).toBe(VECTOR_KEY_ID);
      expect(await verify(VECTOR_BODY, [VECTOR_SIGNATURE], 'Service-Signature')).toBe(
        VECTOR_KEY_ID,
      );
      for (const [age, offset] of GOOD_AGES)
        expect([age, await verify(VECTOR_BODY, signedFor(offset))]).toEqual([age, VECTOR_KEY_ID]);
    },
  ],
  [
    'refuses each forged webhook for the first step that it fails',
    async (stage) => {
      const verify = await receiverOfVector(stage);
      for (const [name, signature] of FORGED_SIGNATURES)
        expect([name, await verify(VECTOR_BODY, await signature())]).toEqual([name, refused(name)]);
      for (const [name, body] of OTHER_BODIES)
        expect([name, await verify(body, VECTOR_SIGNATURE)]).toEqual([
          name,
          ['WebhookVerificationError', 'wrong_body'],
        ]);
      expect(await verify(VECTOR_BODY, [VECTOR_SIGNATURE, VECTOR_SIGNATURE])).toEqual([
        'WebhookVerificationError',
        'malformed_signature',
      ]);
      expect(await verify(VECTOR_BODY, VECTOR_SIGNATURE, 'other-signature')).toEqual([
        'WebhookVerificationError',
        'no_signature',
      ]);
    },
  ],
  [
    'refuses webhooks of other apps and of the other environment',
    async (stage) => {
      const verify = await receiverOfVector(stage, {
        app_id: VECTOR_OWNER.appId,
        environment: VECTOR_OWNER.environment,
      });
      expect(await verify(VECTOR_BODY, signedAt())).toBe(VECTOR_KEY_ID);
      for (const [name, signature] of SIGNATURES_FOR_OTHERS)
        expect([name, await verify(VECTOR_BODY, await signature())]).toEqual([name, refused(name)]);
      // Without `environment`, the key pair tells it.
      const live = await receiverOfVector(stage, { client_id: 'live_1', client_secret: 'unused' });
      expect(await live(VECTOR_BODY, signedAt())).toEqual([
        'WebhookVerificationError',
        'wrong_environment',
      ]);
    },
  ],
  [
    'reads the bodies of the event log as they were sent',
    async ({ driver, link, client: make }) => {
      const linkId = await link('user-of-bodies');
      const { items } = await driver.result<{ items: LoggedEvent[] }>(
        'webhooks.listEvents',
        { query: { link_id: linkId }, read: 'page' },
        await make(),
      );
      for (const { webhook_event: name, body } of items)
        expect(body).toMatchObject({ webhook_event: name, link_id: linkId, link_tags: [] });
      expect(items.map(({ body }) => body)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ webhook_event: 'link.state_changed', state: 'connected' }),
          expect.objectContaining({ webhook_event: 'link.product_refresh', state: 'completed' }),
        ]),
      );
    },
  ],
];

interface LoggedEvent {
  webhook_event: string;
  body: Record<string, unknown>;
}

async function verifiesDelivery(stage: Stage): Promise<void> {
  const receiver = await WebhookReceiver.start();
  try {
    const { base_url: baseUrl } = stage.service.info;
    const client = await stage.client({ base_url: baseUrl, app_id: stage.app.app_id });
    const { link_id: linkId } = await stage.driver.result<{ link_id: string }>(
      'sandbox.createLink',
      { body: { webhook: receiver.url() } },
      client,
    );
    const sent = await stage.driver.result<{ delivery_token: string }>(
      'webhooks.sendTestEvent',
      {
        path: [linkId],
        body: { webhook_event: 'link.state_changed', webhook_idempotency_key: 'try-1' },
      },
      client,
    );
    const isSent = ({ headers }: { headers: Record<string, unknown> }) =>
      headers['service-delivery-token'] === sent.delivery_token;
    const received = (await receiver.until((all) => all.some(isSent))).find(isSent);
    const args = {
      body_base64: received?.rawBody.toString('base64'),
      headers: received?.headers,
    };
    expect(await stage.driver.result('webhooks.verify', args, client)).toMatchObject({
      webhook_event: 'link.state_changed',
      webhook_idempotency_key: 'try-1',
      link_id: linkId,
    });
    const elsewhere = await stage.client({ base_url: baseUrl, app_id: 'another' });
    expect(await stage.driver.refusal('webhooks.verify', args, elsewhere)).toMatchObject({
      code: 'wrong_app',
    });
  } finally {
    await receiver.stop();
  }
}

/** A webhook that the service signs now. */
async function signedNow({ ctx }: ApiInProcess, issuer: string) {
  const body = Buffer.from(JSON.stringify({ webhook_event: 'try', webhook_idempotency_key: 'k' }));
  const signature = signWebhook(
    { body, idempotencyKey: 'k', ...VECTOR_OWNER, at: new Date() },
    await new SigningKeys(ctx).current(),
    issuer,
  );
  return { body_base64: body.toString('base64'), headers: { 'service-signature': signature } };
}

async function followsKeys(stage: Stage): Promise<void> {
  let api = '';
  const gate = await openHttpGate(() => api);
  const service = await startApiInProcess({ BASE_URL: gate.url });
  api = service.api.baseUrl;
  try {
    const rotation = new KeyRotationRepository(service.ctx);
    const receiver = async () => {
      const name = `receiver ${randomUUID()}`;
      await stage.driver.result('new', { base_url: gate.url }, name);
      return async (webhook: object) => {
        const { ok, error } = await stage.driver.call('webhooks.verify', webhook, name);
        return ok === undefined ? error?.code : 'accepted';
      };
    };
    const fetches = () => gate.of('GET /.well-known/jwks.json').length;

    const verify = await receiver();
    const first = await signedNow(service, gate.url);
    expect(await Promise.all([verify(first), verify(first)])).toEqual(['accepted', 'accepted']);
    expect(fetches()).toBe(1);
    // The next key is unknown, so the set is fetched again; the previous one stays valid.
    await rotation.publishNext('scheduled', { leadMs: 0, overlapMs: 86_400_000 });
    const second = await signedNow(service, gate.url);
    expect([await verify(second), await verify(first), fetches()]).toEqual([
      'accepted',
      'accepted',
      2,
    ]);
    // At most once in five minutes, whatever arrives.
    await rotation.revoke('emergency');
    const third = await signedNow(service, gate.url);
    expect([await verify(third), await verify(third), fetches()]).toEqual([
      'unknown_key',
      'unknown_key',
      2,
    ]);
    const started = await receiver();
    expect([await started(third), await started(second)]).toEqual(['accepted', 'unknown_key']);
    // Keys that cannot be read say nothing about the webhook.
    gate.plan('GET /.well-known/jwks.json', ...Array.from({ length: 3 }, () => ({ respond: 503 })));
    expect(await (await receiver())(third)).toBe('http_error');
    expect(gate.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  } finally {
    await gate.close();
    await service.close();
  }
}

export const WEBHOOK_BEHAVIORS: readonly Behavior[] = [
  ...FORGERY_BEHAVIORS,
  ['accepts a delivery of the service for its app, and not for another one', verifiesDelivery],
  ['follows the rotation and the revocation of signing keys', followsKeys],
];
