import { createHash, timingSafeEqual } from 'node:crypto';
import type { Reply } from '../../http/reply.js';
import type { Handler } from '../../http/routes.js';

/** The Authorization header stays free for the token of a connection. */
export const SECRET_HEADER = 'sandbox-bank-secret';

const REFUSAL: Reply = {
  status: 401,
  json: { error: { code: 'unauthorized', message: 'This request is not authorized.' } },
  // the body is not read, so the connection cannot be reused
  headers: { connection: 'close' },
};

/**
 * Passes on the requests that carry the secret. All others get the same 401, whatever they request,
 * with a wrong secret or without one.
 */
export function requireSecret(secret: string, handle: Handler): Handler {
  const expected = digest(secret);
  return (request) => {
    const given = request.header(SECRET_HEADER);
    return given !== null && timingSafeEqual(digest(given), expected) ? handle(request) : REFUSAL;
  };
}

/** Of equal length, so that the comparison takes the same time for every guess. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
