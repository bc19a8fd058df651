import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { Pool } from 'undici';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pools = new Map<string, Pool>();

export interface BareWebhook {
  token: string;
  url: string;
  body: string;
}

/** Creates bodies of the size that the service sends. */
export function bareWebhooks(count: number, urls: readonly string[]): BareWebhook[] {
  return Array.from({ length: count }, (_, index) => ({
    token: `whd_${randomUUID()}`,
    url: urls[index % urls.length] ?? '',
    body: JSON.stringify({
      webhook_event: 'link.state_changed',
      webhook_major_version: 1,
      webhook_minor_version: 0,
      webhook_idempotency_key: randomUUID(),
      webhook_timestamp: '2026-03-02T10:15:30.120+00:00',
      link_id: 'mk_7hGq2ZtVbXn9KsRw4MfPcD',
      link_tags: ['tier:gold'],
      state: 'connected',
      error: null,
      error_message: null,
    }),
  }));
}

/**
 * The minimum that every sender has to do for one webhook: hash, sign with jose, POST over a
 * kept-alive connection, await the response.
 */
export async function signAndPost({ token, url, body }: BareWebhook): Promise<void> {
  const bytes = Buffer.from(body, 'utf8');
  const signature = await new SignJWT({
    iss: 'http://127.0.0.1:4000',
    iat: Math.floor(Date.now() / 1000),
    jti: token,
    request_body_sha256: createHash('sha256').update(bytes).digest('hex'),
  })
    .setProtectedHeader({
      alg: 'ES256',
      kid: '0SEc8p9KZCgXoktncrpt0xIDRECqaX8BMmNKvEhNBPM',
      typ: 'JWT',
    })
    .sign(privateKey);
  const { origin, pathname } = new URL(url);
  let pool = pools.get(origin);
  if (pool === undefined)
    pools.set(origin, (pool = new Pool(origin, { connections: 8, pipelining: 1 })));
  const { statusCode, body: response } = await pool.request({
    method: 'POST',
    path: pathname,
    body: bytes,
    headers: {
      'service-signature': signature,
      'service-delivery-token': token,
      'service-delivery-attempt': '1',
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'service-webhooks/1',
    },
  });
  await response.dump();
  if (statusCode !== 204) throw new Error(`returned ${statusCode}`);
}
