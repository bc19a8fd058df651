import { createHash, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';

/**
 * Verifies that a webhook came from the service, as Plaid's documentation requires, with the official client and a
 * JWT library. Keys are looked up once and kept.
 * @param {import('plaid').PlaidApi} plaid
 * @returns {(rawBody: Buffer, verification: string | undefined, now?: Date) => Promise<object>} the body; it throws for an untrusted webhook
 */
export function createWebhookVerifier(plaid) {
  const keys = new Map();

  async function keyOf(kid) {
    if (!keys.has(kid))
      keys.set(kid, (await plaid.webhookVerificationKeyGet({ key_id: kid })).data.key);
    return keys.get(kid);
  }

  return async (rawBody, verification, now = new Date()) => {
    const { alg, kid } = decodeProtectedHeader(verification ?? '');
    if (alg !== 'ES256') throw new Error('the signature is of another kind');
    const key = await keyOf(kid);
    if (key.expired_at !== null) throw new Error('the key is no longer in use');
    const { payload } = await jwtVerify(verification, await importJWK(key, 'ES256'), {
      algorithms: ['ES256'],
      maxTokenAge: '5 min',
      clockTolerance: '5 s',
      currentDate: now,
    });
    const sent = Buffer.from(String(payload.request_body_sha256), 'hex');
    const real = createHash('sha256').update(rawBody).digest();
    if (sent.length !== real.length || !timingSafeEqual(sent, real))
      throw new Error('the body is another one');
    return JSON.parse(rawBody.toString('utf8'));
  };
}
