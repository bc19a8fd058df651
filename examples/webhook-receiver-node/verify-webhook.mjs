import { createHash, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { KeySet } from './key-set.mjs';

/** The request does not come from the service, or was changed, or is too old. */
export class InvalidWebhook extends Error {}

/**
 * Creates a function that verifies one request: pass it the raw bytes of the body and the value of
 * `service-signature`.
 * It resolves to the event, or rejects with InvalidWebhook. `baseUrl` is the address of the
 * service, without a trailing slash.
 * With `appId` or `environment`, events of other apps or of the other environment are refused.
 */
export function createWebhookVerifier({
  baseUrl,
  appId,
  environment,
  fetchKeys = () => fetchKeySet(baseUrl),
  now = Date.now,
}) {
  const keys = new KeySet(fetchKeys, now);

  return async function verify(rawBody, signature) {
    const { kid } = readHeader(signature);
    const key = await keys.find(kid);
    if (key === undefined) throw new InvalidWebhook('unknown key');
    const payload = await readClaims(signature, key, baseUrl, now());
    if (appId !== undefined && payload.app_id !== appId)
      throw new InvalidWebhook('the event is of another app');
    if (environment !== undefined && payload.environment !== environment)
      throw new InvalidWebhook('the event is of another environment');
    const sent = Buffer.from(String(payload.request_body_sha256), 'hex');
    const real = createHash('sha256').update(rawBody).digest();
    if (sent.length !== real.length || !timingSafeEqual(sent, real))
      throw new InvalidWebhook('the body is not the one that was signed');
    const event = JSON.parse(rawBody.toString('utf8'));
    if (event.webhook_idempotency_key !== payload.jti)
      throw new InvalidWebhook('the signature belongs to another event');
    return event;
  };
}

/**
 * Only the algorithm and the id are read from it: a key that travels with the request proves
 * nothing.
 */
function readHeader(signature) {
  if (typeof signature !== 'string' || signature === '') throw new InvalidWebhook('no signature');
  try {
    const { alg, kid } = decodeProtectedHeader(signature);
    if (alg === 'ES256' && typeof kid === 'string') return { kid };
  } catch {
    throw new InvalidWebhook('the signature is not readable');
  }
  throw new InvalidWebhook('the signature is not of the kind expected');
}

/** Checks issuer and time as well: at most five minutes old, at most one minute in the future. */
async function readClaims(signature, key, issuer, now) {
  try {
    const { payload } = await jwtVerify(signature, await importJWK(key, 'ES256'), {
      algorithms: ['ES256'],
      issuer,
      maxTokenAge: '4 min',
      clockTolerance: '1 min',
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    throw new InvalidWebhook(`the signature does not hold: ${error.message}`);
  }
}

async function fetchKeySet(baseUrl) {
  const answer = await fetch(`${baseUrl}/.well-known/jwks.json`, {
    signal: AbortSignal.timeout(5_000),
  });
  if (!answer.ok) throw new Error(`the key set returned ${answer.status}`);
  return answer.json();
}
