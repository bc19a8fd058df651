import { createHash, createPublicKey } from 'node:crypto';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
} from 'jose';
import { thumbprint } from '../../../prisma/base/keys/new-signing-key.js';
import {
  FORGED_SIGNATURES,
  GOOD_AGES,
  OTHER_BODIES,
  PUBLISHED,
  signedAt,
  signedFor,
  signer,
  VECTOR_AT,
  VECTOR_BODY,
  VECTOR_ISSUER,
  VECTOR_KEY_ID,
  VECTOR_KEYS,
  VECTOR_SIGNATURE,
} from '../../support/receivers/webhook-forgeries.js';
import { createVerifier } from '../../support/receivers/webhook-receiver.js';

const verify = createVerifier(VECTOR_ISSUER, createLocalJWKSet(PUBLISHED));

describe('The signature of a webhook', () => {
  it('has exactly the members of webhooks 4', async () => {
    const jwt = signedAt();
    expect(jwt.split('.')).toHaveLength(3);
    expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'ES256', kid: signer.kid, typ: 'JWT' });
    expect(decodeJwt(jwt)).toEqual({
      iss: VECTOR_ISSUER,
      iat: 1_772_446_530,
      jti: VECTOR_KEY_ID,
      app_id: 'pocket-ledger',
      environment: 'sandbox',
      request_body_sha256: '89239919b470c8fcb266dfbe587670efa00c4b75b171bcbb83eb3f5f5ee61c58',
    });
  });

  it('names its key by the thumbprint of RFC 7638', async () => {
    expect(signer.kid).toBe(
      await calculateJwkThumbprint(await exportJWK(createPublicKey(signer.privateKey))),
    );
    const [key] = VECTOR_KEYS.keys;
    expect(thumbprint(key?.x ?? '', key?.y ?? '')).toBe(key?.kid);
  });

  it('is accepted by the sample code of a receiver', async () => {
    expect(await verify(VECTOR_BODY, signedAt(), VECTOR_AT)).toMatchObject({
      webhook_event: 'link.state_changed',
      state: 'connected',
    });
  });
});

describe('The sample code of a receiver (webhooks 12, check 2)', () => {
  it('accepts the test vector', async () => {
    expect(VECTOR_BODY).toHaveLength(325);
    expect(createHash('sha256').update(VECTOR_BODY).digest('hex')).toBe(
      '89239919b470c8fcb266dfbe587670efa00c4b75b171bcbb83eb3f5f5ee61c58',
    );
    expect(await verify(VECTOR_BODY, VECTOR_SIGNATURE, VECTOR_AT)).toMatchObject({
      webhook_idempotency_key: VECTOR_KEY_ID,
    });
  });

  it.each(FORGED_SIGNATURES)('rejects %s', async (_name, signature) => {
    await expect(verify(VECTOR_BODY, await signature(), VECTOR_AT)).rejects.toThrow();
  });

  it.each(OTHER_BODIES)('rejects %s', async (_name, body) => {
    await expect(verify(body, VECTOR_SIGNATURE, VECTOR_AT)).rejects.toThrow(
      'body does not match signature',
    );
  });

  it.each(GOOD_AGES)('accepts an iat of %s', async (_name, offset) => {
    await expect(verify(VECTOR_BODY, signedFor(offset), VECTOR_AT)).resolves.toBeDefined();
  });
});
