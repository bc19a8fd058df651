import * as oauth from 'openid-client';
import type { ProviderAccess } from '../../provider.js';
import { decodeCredential } from '../client/credential.js';
import type { OAuthClient } from '../client/oauth-client.js';
import type { FdxInstitution, Metadata } from '../settings.js';

/**
 * Ends the permission at the bank (RFC 7009). A bank without an address for it keeps the permission
 * until its customer ends it there; the core erases the tokens.
 */
export function revoke(
  client: OAuthClient,
  institution: FdxInstitution,
  { credential, signal }: Pick<ProviderAccess, 'credential' | 'signal'>,
): Promise<void> {
  const { refreshToken, accessToken } = decodeCredential(credential);
  return client.run(institution, { stage: 'renewal', signal }, async (configuration, metadata) => {
    if (!offersRevocation(institution, metadata)) return;
    await oauth.tokenRevocation(configuration, refreshToken ?? accessToken, {
      token_type_hint: refreshToken === null ? 'access_token' : 'refresh_token',
    });
  });
}

function offersRevocation({ clientAuthentication }: FdxInstitution, metadata: Metadata): boolean {
  const aliases = clientAuthentication === 'mtls' ? metadata.mtls_endpoint_aliases : undefined;
  return (aliases?.revocation_endpoint ?? metadata.revocation_endpoint) !== undefined;
}
