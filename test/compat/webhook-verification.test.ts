import { createHash, generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { SigningKeys } from '../../prisma/base/keys/signing-key.repository.js';
import { PlaidWebhookKeys } from '../../prisma/views/plaid/plaid-webhook-keys.js';
import { eventually } from '../support/assertions/eventually.js';
import { plaidOf, refusalOf } from '../support/actors/plaid-client.js';
import type { ReceivedWebhook } from '../support/receivers/webhook-receiver.js';
import {
  MINUTE_MS,
  receiver,
  service,
  startVerifiedWebhooks,
  verify,
} from './support/verified-webhooks.js';

startVerifiedWebhooks();

async function received(): Promise<ReceivedWebhook & { jwt: string }> {
  const { access_token: accessToken } = await service.item({ webhook: receiver.url() });
  const before = receiver.received.length;
  await service.plaid.sandboxItemFireWebhook({
    access_token: accessToken,
    webhook_code: 'NEW_ACCOUNTS_AVAILABLE' as never,
  });
  const webhook = (await receiver.until(before + 1)).at(-1);
  if (webhook === undefined) throw new Error('no webhook arrived');
  const shown = () => service.plaid.itemGet({ access_token: accessToken });
  await eventually(async () =>
    expect((await shown()).data.status?.last_webhook).toEqual({
      sent_at: expect.stringMatching(/Z$/),
      code_sent: 'NEW_ACCOUNTS_AVAILABLE',
    }),
  );
  return { ...webhook, jwt: String(webhook.headers['plaid-verification']) };
}

describe('The Plaid-Verification header (plaid-compat 8.2)', () => {
  it("is verified with the official client's key lookup, also when the body is serialized again", async () => {
    const { rawBody, jwt } = await received();
    expect(await verify(rawBody, jwt)).toMatchObject({
      webhook_type: 'ITEM',
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
      environment: 'sandbox',
    });
    const reserialized = Buffer.from(JSON.stringify(JSON.parse(rawBody.toString('utf8')), null, 2));
    expect(await verify(reserialized, jwt)).toMatchObject({
      webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
    });
  });

  it('rejects a webhook of another sender', async () => {
    const { rawBody, jwt } = await received();
    const { kid } = await new PlaidWebhookKeys(service.api.ctx).current('sandbox');
    const claims = {
      iat: Math.floor(Date.now() / 1000),
      request_body_sha256: createHash('sha256').update(rawBody).digest('hex'),
    };
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const forged: [string, Buffer, string | undefined, Date?][] = [
      ['another body', Buffer.from(rawBody.toString('utf8').replace('NEW', 'OLD')), jwt],
      [
        'the body on one line',
        Buffer.from(JSON.stringify(JSON.parse(rawBody.toString('utf8')))),
        jwt,
      ],
      ['a signature older than five minutes', rawBody, jwt, new Date(Date.now() + 6 * MINUTE_MS)],
      [
        'HS256',
        rawBody,
        await new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid })
          .sign(Buffer.alloc(32, 'secret')),
      ],
      ['no algorithm', rawBody, new UnsecuredJWT(claims).encode()],
      [
        'a foreign key under our kid',
        rawBody,
        await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(stranger),
      ],
      [
        'an unknown key',
        rawBody,
        await new SignJWT(claims)
          .setProtectedHeader({ alg: 'ES256', kid: 'unknown' })
          .sign(stranger),
      ],
      ['no signature', rawBody, undefined],
    ];
    for (const [what, body, signature, now] of forged) {
      expect({
        what,
        outcome: await verify(body, signature, now).then(
          () => 'verified',
          () => 'refused',
        ),
      }).toEqual({ what, outcome: 'refused' });
    }
  });
});

describe('/webhook_verification_key/get', () => {
  it('returns only the keys of its own environment', async () => {
    const { kid } = await new PlaidWebhookKeys(service.api.ctx).current('sandbox');
    expect((await service.plaid.webhookVerificationKeyGet({ key_id: kid })).data).toEqual({
      key: {
        alg: 'ES256',
        crv: 'P-256',
        kid,
        kty: 'EC',
        use: 'sig',
        x: expect.any(String),
        y: expect.any(String),
        created_at: expect.any(Number),
        expired_at: null,
      },
      request_id: expect.any(String),
    });
    const refused = [400, 'INVALID_INPUT', 'INVALID_WEBHOOK_VERIFICATION_KEY_ID'];
    expect(
      await refusalOf(
        plaidOf(service.api, 'pocket-ledger', 'live').webhookVerificationKeyGet({ key_id: kid }),
      ),
    ).toEqual(refused);
    expect(
      await refusalOf(
        service.plaid.webhookVerificationKeyGet({
          key_id: (await new SigningKeys(service.api.ctx).current()).kid,
        }),
      ),
    ).toEqual(refused);
    expect(
      await refusalOf(service.plaid.webhookVerificationKeyGet({ key_id: 'nonsense' })),
    ).toEqual(refused);
    expect(await refusalOf(service.plaid.webhookVerificationKeyGet({} as never))).toEqual([
      400,
      'INVALID_REQUEST',
      'MISSING_FIELDS',
    ]);
  });

  it('leaves the published native keys unchanged', async () => {
    const { kid } = await new PlaidWebhookKeys(service.api.ctx).current('sandbox');
    const { body } = await service.api.api.get('/.well-known/jwks.json');
    expect((body as { keys: { kid: string }[] }).keys.map((key) => key.kid)).toEqual([
      (await new SigningKeys(service.api.ctx).current()).kid,
    ]);
    expect(JSON.stringify(body)).not.toContain(kid);
  });
});
