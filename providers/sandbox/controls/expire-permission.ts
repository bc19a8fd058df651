import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { ProviderAccess } from '../../provider.js';
import type { BankClient } from '../client/bank-client.js';
import { authorization, decodeCredential } from '../client/credential.js';

/** Makes the bank refuse a permission from now on. Source: link-lifecycle 10. */
export async function expirePermission(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<void> {
  const credential = decodeCredential(access.credential);
  try {
    await callBank({
      operation: 'data',
      method: 'POST',
      path: ['v1', 'connections', credential.connectionId, 'end'],
      headers: authorization(credential),
      expect: 204,
      signal: access.signal,
    });
  } catch (error) {
    // A permission that the bank does not know has already ended.
    if (error instanceof ProviderFailure && error.provider_cause === 'consent_expired') return;
    throw error;
  }
}
