import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderAccess } from '../../contract/provider.js';
import type { ApiClient } from '../client/api-client.js';
import { decodeCredential } from '../client/sealed.js';

/** Closes the session; the vendor ends the consent at the bank, where the bank allows it. */
export async function revoke(callApi: ApiClient, access: ProviderAccess): Promise<'revoked'> {
  const { sessionId } = decodeCredential(access.credential);
  try {
    const response = await callApi({
      method: 'DELETE',
      path: ['sessions', sessionId],
      signal: access.signal,
    });
    new RemoteObject(response, 'response').text('message', { max: 1_000 });
  } catch (error) {
    // A session that has ended counts as revoked.
    if (error instanceof ProviderFailure && error.providerCause === 'consent_expired')
      return 'revoked';
    throw error;
  }
  return 'revoked';
}
