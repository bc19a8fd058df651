import * as oauth from 'openid-client';
import type { ProviderAccess, RevocationOutcome } from '../../contract/provider.js';
import { decodeCredential } from '../client/credential.js';
import type { OAuthClient } from '../client/oauth-client.js';
import { offersRevocation, type FdxInstitution } from '../settings.js';

/**
 * Ends the permission at the bank (RFC 7009). A bank without a revocation address keeps the
 * permission until its customer ends it there; the core erases the tokens and records that.
 */
export function revoke(
  client: OAuthClient,
  institution: FdxInstitution,
  { credential, signal }: Pick<ProviderAccess, 'credential' | 'signal'>,
): Promise<RevocationOutcome> {
  const { refreshToken, accessToken } = decodeCredential(credential);
  return client.run(institution, { stage: 'renewal', signal }, async (configuration, metadata) => {
    if (!offersRevocation(institution, metadata)) return 'not_offered';
    await oauth.tokenRevocation(configuration, refreshToken ?? accessToken, {
      token_type_hint: refreshToken === null ? 'access_token' : 'refresh_token',
    });
    return 'revoked';
  });
}
