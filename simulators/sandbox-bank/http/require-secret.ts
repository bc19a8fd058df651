import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';

/** The Authorization header stays free for the token of a connection. */
export const SECRET_HEADER = 'sandbox-bank-secret';

const REFUSAL = JSON.stringify({
  error: { code: 'unauthorized', message: 'This request is not authorized.' },
});

/**
 * Passes on the requests that carry the secret. All others get the same 401, whatever they request,
 * with a wrong secret or without one.
 */
export function requireSecret(secret: string, listener: RequestListener): RequestListener {
  const expected = digest(secret);
  return (incoming, response) => {
    const given = incoming.headers[SECRET_HEADER];
    if (typeof given === 'string' && timingSafeEqual(digest(given), expected)) {
      return listener(incoming, response);
    }
    // the body is not read, so the connection cannot be reused
    response.writeHead(401, {
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(REFUSAL),
      connection: 'close',
    });
    response.end(REFUSAL);
  };
}

/** Of equal length, so that the comparison takes the same time for every guess. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
