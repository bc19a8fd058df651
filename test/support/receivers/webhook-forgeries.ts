import { createHash, generateKeyPairSync } from 'node:crypto';
import { exportJWK, SignJWT, UnsecuredJWT, type JWK } from 'jose';
import { signWebhook } from '../../../apps/platform/src/envelopes/sign-webhook.js';
import { thumbprint } from '../../../prisma/base/keys/new-signing-key.js';

export const VECTOR_ISSUER = 'https://api.example.test';
export const VECTOR_AT = new Date('2026-03-02T10:15:30.500Z');
/** The recipient of the signatures made here. The test vector does not name one. */
export const VECTOR_OWNER = { appId: 'pocket-ledger', environment: 'sandbox' } as const;
export const VECTOR_KEY_ID = '0190f3a2-6f1e-7c55-9b0a-2f4f6f1f7a10';

// webhooks 4, "Test vector".
export const VECTOR_BODY = Buffer.from(
  '{"webhook_event":"link.state_changed","webhook_major_version":1,"webhook_minor_version":0,"webhook_idempotency_key":"0190f3a2-6f1e-7c55-9b0a-2f4f6f1f7a10","webhook_timestamp":"2026-03-02T10:15:30.120+00:00","link_id":"mk_7hGq2ZtVbXn9KsRw4MfPcD","link_tags":["tier:gold"],"state":"connected","error":null,"error_message":null}',
  'utf8',
);
export const VECTOR_KEYS = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'aAUGLfqiMPh9JXIjJ_BswNcoVFtnO-Tq6lljZ9UpW08',
      y: 'PIIcl9U2Jk9hD2zB7Dijd-oar3j3jK7zQsEK2njogbs',
      use: 'sig',
      alg: 'ES256',
      kid: '0SEc8p9KZCgXoktncrpt0xIDRECqaX8BMmNKvEhNBPM',
    },
  ],
};
export const VECTOR_SIGNATURE =
  'eyJhbGciOiJFUzI1NiIsImtpZCI6IjBTRWM4cDlLWkNnWG9rdG5jcnB0MHhJRFJFQ3FhWDhCTW1OS3ZFaE5CUE0iLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiJodHRwczovL2FwaS5leGFtcGxlLnRlc3QiLCJpYXQiOjE3NzI0NDY1MzAsImp0aSI6IjAxOTBmM2EyLTZmMWUtN2M1NS05YjBhLTJmNGY2ZjFmN2ExMCIsInJlcXVlc3RfYm9keV9zaGEyNTYiOiI4OTIzOTkxOWI0NzBjOGZjYjI2NmRmYmU1ODc2NzBlZmEwMGM0Yjc1YjE3MWJjYmI4M2ViM2Y1ZjVlZTYxYzU4In0.UY0BWXx62k9wkMsELjmztiWJiphOPmfcHTwNXwt3WSC-ywhmb1dDFR1jUyXdu9RS_fLbmq345L5ZSRLQXNvaDg';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
export const signer = { kid: thumbprint(x, y), privateKey: pair.privateKey };
const ownKeys: JWK = { kty: 'EC', crv: 'P-256', x, y, use: 'sig', alg: 'ES256', kid: signer.kid };
/**
 * The key set given to a receiver: that of the test vector, and a key whose private half is here.
 */
export const PUBLISHED = { keys: [...VECTOR_KEYS.keys, ownKeys] };

const claims = {
  iss: VECTOR_ISSUER,
  iat: 1_772_446_530,
  jti: VECTOR_KEY_ID,
  request_body_sha256: createHash('sha256').update(VECTOR_BODY).digest('hex'),
};
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signedBy = (
  header: { alg: string; kid?: string; jwk?: JWK; jku?: string; x5u?: string },
  key: Parameters<SignJWT['sign']>[0],
  with_: object = claims,
) => new SignJWT({ ...with_ }).setProtectedHeader({ typ: 'JWT', ...header }).sign(key);

export const signedAt = (at = VECTOR_AT) =>
  signWebhook(
    { body: VECTOR_BODY, idempotencyKey: VECTOR_KEY_ID, ...VECTOR_OWNER, at },
    signer,
    VECTOR_ISSUER,
  );
export const signedFor = (offsetMs: number) => signedAt(new Date(VECTOR_AT.getTime() + offsetMs));

/** webhooks 6, "Must be rejected", and the consequences of its steps. */
export const FORGED_SIGNATURES: readonly [string, () => Promise<string> | string][] = [
  ['alg none', () => new UnsecuredJWT(claims).encode()],
  [
    'HS256 with the public key as secret',
    () =>
      signedBy({ alg: 'HS256', kid: signer.kid }, Buffer.from(JSON.stringify(ownKeys).padEnd(32))),
  ],
  [
    'a key in the JWT header',
    async () =>
      signedBy({ alg: 'ES256', jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey),
  ],
  [
    'a key at an address in the JWT header',
    () =>
      signedBy(
        { alg: 'ES256', jku: 'https://evil.example/keys', x5u: 'https://evil.example/x5u' },
        stranger.privateKey,
      ),
  ],
  [
    'a key that claims the kid of ours',
    () => signedBy({ alg: 'ES256', kid: signer.kid }, stranger.privateKey),
  ],
  ['a kid not in the set', () => signedBy({ alg: 'ES256', kid: 'unknown' }, signer.privateKey)],
  ['an iat of yesterday', () => signedFor(-86_400_000)],
  ['an iat of more than five minutes ago', () => signedFor(-302_000)],
  ['an iat of more than a minute ahead', () => signedFor(62_000)],
  [
    'another issuer',
    () =>
      signedBy({ alg: 'ES256', kid: signer.kid }, signer.privateKey, {
        ...claims,
        iss: `${VECTOR_ISSUER}/`,
      }),
  ],
  [
    'another idempotency key',
    () =>
      signedBy({ alg: 'ES256', kid: signer.kid }, signer.privateKey, { ...claims, jti: 'another' }),
  ],
  [
    'no hash of the body',
    () =>
      signedBy({ alg: 'ES256', kid: signer.kid }, signer.privateKey, {
        ...claims,
        request_body_sha256: undefined,
      }),
  ],
  ['two signatures in one header', () => `${VECTOR_SIGNATURE}, ${VECTOR_SIGNATURE}`],
  ['no signature', () => ''],
];

/** webhooks 6, step 6: valid signatures that the receiver of another app or environment rejects. */
export const SIGNATURES_FOR_OTHERS: readonly [string, () => Promise<string>][] = [
  [
    'an event of another app',
    () =>
      signedBy({ alg: 'ES256', kid: signer.kid }, signer.privateKey, {
        ...claims,
        app_id: 'rival',
        environment: 'sandbox',
      }),
  ],
  [
    'an event of the other environment',
    () =>
      signedBy({ alg: 'ES256', kid: signer.kid }, signer.privateKey, {
        ...claims,
        app_id: 'pocket-ledger',
        environment: 'live',
      }),
  ],
  [
    'a signature that does not say whose event it is',
    () => signedBy({ alg: 'ES256', kid: signer.kid }, signer.privateKey),
  ],
];

export const OTHER_BODIES: readonly [string, Buffer][] = [
  ['another body', Buffer.from('{"webhook_event":"link.state_changed"}')],
  [
    'a flipped bit',
    Buffer.from(VECTOR_BODY.map((byte, index) => (index === 200 ? byte ^ 1 : byte))),
  ],
  [
    'the same JSON, serialized again',
    Buffer.from(JSON.stringify(JSON.parse(VECTOR_BODY.toString('utf8')), null, 1)),
  ],
  ['a line end after the body', Buffer.concat([VECTOR_BODY, Buffer.from('\n')])],
];

export const GOOD_AGES: readonly [string, number][] = [
  ['just under five minutes ago', -298_000],
  ['almost a minute ahead', 58_000],
];
