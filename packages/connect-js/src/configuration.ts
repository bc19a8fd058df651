import { parseOrigin } from './origin.js';
import { withoutTrailingSlashes } from './without-trailing-slashes.js';

/**
 * Thrown immediately when Connect cannot be opened with these options: a mistake of the calling
 * program, never of the end user.
 */
export class ConnectConfigurationError extends Error {
  override readonly name = 'ConnectConfigurationError';
}

// connect 9.2
const TOKEN = /^[A-Za-z0-9_-]{1,256}$/;

/**
 * @throws ConnectConfigurationError when this cannot be a link_session_token; the message does not
 * quote it
 */
export function checkToken(token: unknown): string {
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  throw new ConnectConfigurationError(
    'linkSessionToken must be 1 to 256 characters of A-Z, a-z, 0-9, _ and -.',
  );
}

/**
 * `connectBaseUrl` outside a browser, where `URL` is not reliable.
 * @returns the address without query, fragment and trailing slashes
 * @throws ConnectConfigurationError when it is not an http(s) address with an origin that
 * `parseOrigin` accepts
 */
export function readBaseAddress(address: unknown): string {
  if (typeof address === 'string' && parseOrigin(address) !== undefined)
    return withoutTrailingSlashes(address.split(/[?#]/, 1)[0] ?? '');
  throw new ConnectConfigurationError(
    `connectBaseUrl must be an http(s) address with scheme and host in lower case, not ${JSON.stringify(address)}.`,
  );
}
