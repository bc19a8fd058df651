import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { ProviderAccess } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection, type ConnectionCall } from '../client/connection-call.js';

/** Ends a permission for its customer. */
export async function revoke(callBank: BankClient, access: ProviderAccess): Promise<'revoked'> {
  await end(callBank, access, { method: 'DELETE' });
  return 'revoked';
}

/** Makes the bank refuse a permission from now on. Source: link-lifecycle 10. */
export function expirePermission(callBank: BankClient, access: ProviderAccess): Promise<void> {
  return end(callBank, access, { method: 'POST', part: 'end', expect: 204 });
}

async function end(
  callBank: BankClient,
  access: ProviderAccess,
  call: ConnectionCall,
): Promise<void> {
  try {
    await callConnection(callBank, access, call);
  } catch (error) {
    // A permission that the bank no longer knows has already ended.
    if (error instanceof ProviderFailure && error.providerCause === 'consent_expired') return;
    throw error;
  }
}
