import type { TokenEndpointResponse } from 'openid-client';
import { malformed } from '../../http/remote-object.js';
import type { Credential } from '../client/credential.js';

/**
 * The credential of a token response. If a bank does not return a refresh token, the old one stays
 * valid (RFC 6749, 6).
 */
export function credentialOf(
  tokens: TokenEndpointResponse,
  before: Pick<Credential, 'dpopKey' | 'refreshToken'>,
): Credential {
  // A stolen bearer token would open a permission that the operator configured to be bound.
  const expected = before.dpopKey === null ? 'bearer' : 'dpop';
  if (tokens.token_type !== expected) throw malformed(`the token is not a ${expected} token`);
  return {
    accessToken: tokens.access_token,
    endsAt: tokens.expires_in === undefined ? null : Date.now() + tokens.expires_in * 1_000,
    refreshToken: tokens.refresh_token ?? before.refreshToken,
    dpopKey: before.dpopKey,
  };
}
