import * as oauth from 'openid-client';
import type { ProviderAccess } from '../../contract/provider.js';
import { decodeCredential, encodeCredential, type Credential } from '../client/credential.js';
import { dpopHandleOf } from '../client/dpop-key.js';
import type { OAuthClient } from '../client/oauth-client.js';
import { consentExpired } from '../failure-table.js';
import type { FdxInstitution } from '../settings.js';
import { credentialOf } from './grant.js';

/**
 * Renews the access token through the core, so that only one of several callers does it and the new
 * refresh token is stored before it is used. If another caller has renewed it in the meantime, no
 * call is made.
 * @param used the access token that expired
 * @throws ProviderFailure `consent_expired` when the bank no longer accepts the refresh token,
 * which also follows a lost response from a bank that rotates tokens
 */
export async function renew(
  client: OAuthClient,
  institution: FdxInstitution,
  access: Pick<ProviderAccess, 'renewCredential' | 'signal'>,
  used: Credential,
): Promise<Credential> {
  const renewal = access.renewCredential(async (inForce, signal) => {
    const held = decodeCredential(inForce);
    if (held.accessToken !== used.accessToken) return inForce;
    return encodeCredential(await refresh(client, institution, signal, held));
  });
  return decodeCredential(await unlessAborted(renewal, access.signal));
}

/**
 * The caller stops immediately; the renewal continues, because its response may contain the only
 * valid token.
 */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function refresh(
  client: OAuthClient,
  institution: FdxInstitution,
  signal: AbortSignal,
  held: Credential,
): Promise<Credential> {
  const { refreshToken } = held;
  if (refreshToken === null) throw consentExpired();
  return client.run(institution, { stage: 'renewal', signal }, async (configuration) => {
    const DPoP = await dpopHandleOf(configuration, held.dpopKey);
    const tokens = await oauth.refreshTokenGrant(configuration, refreshToken, undefined, { DPoP });
    return credentialOf(tokens, held);
  });
}
