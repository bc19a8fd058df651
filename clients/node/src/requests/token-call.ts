import type { KeyPair } from '../client-options.js';
import { AuthenticationError } from '../errors.js';
import type { IssuedToken } from './access-token.js';

/** Repeated, it issues a further token, which does no harm. */
export const TOKEN_CALL = { method: 'POST', isIdempotent: true } as const;

/** A new token has the same scopes, and a refusal by a proxy is not about the token. */
export function refusesToken(error: unknown): boolean {
  return (
    error instanceof AuthenticationError &&
    error.requiredScope === undefined &&
    error.code.startsWith('api_error.auth.')
  );
}

export const tokenForm = ({ clientId, clientSecret, scopes }: KeyPair): URLSearchParams =>
  new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
  });

/** A token of other characters would appear in the error of a refused header. */
export function isIssuedToken(body: unknown): body is IssuedToken {
  const { access_token: token, expires_in: seconds } = (body ?? {}) as Partial<IssuedToken>;
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) && typeof seconds === 'number';
}
