import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { ProviderAccess } from '../../provider.js';
import type { BankClient } from '../client/bank-client.js';
import { authorization, decodeCredential } from '../client/credential.js';

export async function revoke(callBank: BankClient, access: ProviderAccess): Promise<void> {
  const credential = decodeCredential(access.credential);
  try {
    await callBank({
      operation: 'data',
      method: 'DELETE',
      path: ['v1', 'connections', credential.connectionId],
      headers: authorization(credential),
      expect: 204,
      signal: access.signal,
    });
  } catch (error) {
    // Access that the bank no longer knows is already revoked.
    if (error instanceof ProviderFailure && error.provider_cause === 'consent_expired') return;
    throw error;
  }
}
