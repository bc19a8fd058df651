import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { addressRanges } from '../../apps/platform/src/config/setting-parsers.js';
import { createLogger } from '../../apps/platform/src/logging/logger.js';
import { createSender, type Sender } from '../../apps/webhooks/src/create-sender.js';
import { SigningKeys } from '../../prisma/keys/signing-key.repository.js';
import {
  createWebhookVerifier,
  type VerifyPlaidWebhook,
} from '../../examples/plaid-app/verify-webhook.mjs';
import { eraseEventTokens } from '../../prisma/events/event-body.js';
import { PlaidWebhookKeys } from '../../prisma/plaid/plaid-webhook-keys.js';
import { SessionTimeRepository } from '../../prisma/linking/session-time.repository.js';
import { eventually } from '../support/assertions/eventually.js';
import { plaidOf, refusalOf } from '../support/actors/plaid-client.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { WebhookReceiver, type ReceivedWebhook } from '../support/receivers/webhook-receiver.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const service = plaidServiceOfFile({
  RATE_LIMIT_COMPAT: 'off',
  WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
});
let receiver: WebhookReceiver;
let sender: Sender | undefined;
let verify: VerifyPlaidWebhook;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  receiver.respondWith({ status: 200 });
  sender = createSender({
    ctx: service.api.ctx,
    settings: {
      baseUrl: service.api.api.baseUrl,
      headerPrefix: 'service',
      webhookTimeout: 5_000,
      webhookAttemptsAt: [0],
      compatWebhookAttemptsAt: [0],
      webhookAttemptsPerApp: 200,
      webhookRetryStarts: 50,
      webhookRetryStartsPerEndpoint: 20,
      webhookAllowedPrivateRanges: addressRanges('127.0.0.0/8'),
      webhookRefusedRanges: [],
    },
    logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
    chance: Math.random,
  });
  sender.relay.start();
  verify = createWebhookVerifier(service.plaid);
});
afterAll(async () => {
  await sender?.relay.stop(0);
  await sender?.close();
  await receiver?.stop();
});

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

describe('LINK / SESSION_FINISHED of a hosted session (plaid-compat 8.1)', () => {
  const hosted = (over: object = {}) =>
    service.create({ webhook: receiver.url('/link'), hosted_link: {}, ...over });
  const origin = () => new URL(service.api.connectBaseUrl).origin;
  const next = async (before: number) => {
    const webhook = (
      await receiver.until((all) => all.slice(before).some(({ path }) => path === '/link'))
    )
      .slice(before)
      .find(({ path }) => path === '/link');
    if (webhook === undefined) throw new Error('no webhook arrived');
    return verify(webhook.rawBody, String(webhook.headers['plaid-verification']));
  };
  const logged = async () => {
    const api = service.api.api.as(await service.api.token('pocket-ledger'));
    return (
      (await api.get('/webhooks/events?webhook_event=LINK.SESSION_FINISHED&order=desc&limit=1'))
        .body as {
        events: { event_id: string; body: Record<string, unknown>; body_sha256: string }[];
      }
    ).events[0];
  };

  it('contains the tokens, which are not logged and are erased later', async () => {
    const {
      data: { link_token: token },
    } = await hosted();
    const before = receiver.received.length;
    await service.link(token, origin());
    const body = await next(before);
    const [publicToken] = body['public_tokens'] as string[];
    expect(body).toEqual({
      webhook_type: 'LINK',
      webhook_code: 'SESSION_FINISHED',
      status: 'SUCCESS',
      link_session_id: expect.stringMatching(/^ses_/),
      link_token: token,
      public_tokens: [publicToken],
      environment: 'sandbox',
    });
    const event = await logged();
    expect(event?.body).toEqual({ ...body, link_token: null, public_tokens: null });
    expect(event?.body_sha256).toBe(
      createHash('sha256')
        .update(receiver.received.at(-1)?.rawBody ?? '')
        .digest('hex'),
    );
    const stored = () =>
      service.api.database.prisma.webhookEvent.findUniqueOrThrow({
        where: { eventId: event?.event_id ?? '' },
      });
    await eventually(async () =>
      expect(
        await service.api.database.prisma.webhookDelivery.count({
          where: { event: { eventId: event?.event_id ?? '' }, status: 'delivered' },
        }),
      ).toBe(1),
    );
    expect(Buffer.from((await stored()).sealedBody ?? []).toString('latin1')).not.toContain(
      publicToken,
    );
    await eraseEventTokens(service.api.ctx, new Date(Date.now() - DAY_MS));
    expect((await stored()).sealedBody).not.toBeNull();
    await eraseEventTokens(service.api.ctx, new Date(Date.now() + MINUTE_MS));
    expect((await stored()).sealedBody).toBeNull();
    // The rest can still be replayed, with a new signature.
    const erased = receiver.received.length;
    const native = service.api.api.as(await service.api.token('pocket-ledger'));
    expect((await native.post(`/webhooks/events/${event?.event_id ?? ''}/replay`)).status).toBe(
      200,
    );
    expect(await next(erased)).toEqual({ ...body, link_token: null, public_tokens: null });
    expect(
      (await service.plaid.itemPublicTokenExchange({ public_token: publicToken ?? '' })).status,
    ).toBe(200);
  });

  it('announces that the user left, and a later success', async () => {
    const {
      data: { link_token: token },
    } = await hosted();
    const before = receiver.received.length;
    const opened = await service.api.api.post('/connect/api/session/open', {
      json: {
        link_session_token: token,
        request_id: randomUUID(),
        origin: origin(),
        platform: 'web',
      },
    });
    await service.api.api
      .as((opened.body as { connect_token: string }).connect_token)
      .post('/connect/api/session/exit', {
        json: { request_id: randomUUID(), reason: 'user_closed' },
      });
    expect(await next(before)).toMatchObject({
      status: 'EXITED',
      link_token: token,
      public_tokens: [],
    });
    expect((await logged())?.body).toMatchObject({ status: 'EXITED', link_token: null });
    const left = receiver.received.length;
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0];
    await service.link(token, origin(), cookie);
    expect(await next(left)).toMatchObject({
      status: 'SUCCESS',
      link_token: token,
      public_tokens: [expect.stringMatching(/^public-sandbox-/)],
    });
  });

  it.each([
    ['whose user closed the window, when it expires', 0],
    ['whose user left before, only once', 1],
  ])('announces EXITED for a session %s', async (_, exits) => {
    const {
      data: { link_token: token },
    } = await hosted();
    const before = receiver.received.length;
    const opened = await service.api.api.post('/connect/api/session/open', {
      json: {
        link_session_token: token,
        request_id: randomUUID(),
        origin: origin(),
        platform: 'web',
      },
    });
    if (exits > 0)
      await service.api.api
        .as((opened.body as { connect_token: string }).connect_token)
        .post('/connect/api/session/exit', {
          json: { request_id: randomUUID(), reason: 'user_closed' },
        });
    const { prisma } = service.api.database;
    const { sessionId } = await prisma.linkSession.findFirstOrThrow({
      orderBy: { createdAt: 'desc' },
    });
    await prisma.linkSession.update({
      where: { sessionId },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await new SessionTimeRepository(service.api.ctx).expireIfDue(sessionId)).toMatchObject({
      state: 'ended',
    });
    expect(await next(before)).toMatchObject({
      status: 'EXITED',
      link_session_id: sessionId,
      link_token: token,
      public_tokens: [],
    });
    expect(await prisma.webhookEvent.count({ where: { linkId: sessionId } })).toBe(1);
    const {
      data: { link_sessions: [session] = [] },
    } = await service.plaid.linkTokenGet({ link_token: token });
    expect(session).toMatchObject({
      link_session_id: sessionId,
      finished_at: expect.stringMatching(/Z$/),
      results: null,
      exit: { error: null },
    });
  });

  it('is not sent for a session opened by an SDK', async () => {
    const {
      data: { link_token: token },
    } = await hosted({ hosted_link: undefined });
    const count = () =>
      service.api.database.prisma.webhookEvent.count({
        where: { webhookEvent: 'LINK.SESSION_FINISHED' },
      });
    const before = await count();
    await service.link(token);
    expect(await count()).toBe(before);
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
