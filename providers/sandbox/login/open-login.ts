import type { LoginContext } from '../../provider.js';
import type { BankClient } from '../client/bank-client.js';
import { customerReferenceOf } from '../client/customer-reference.js';
import { RemoteObject } from '../../http/remote-object.js';
import { worldFields, worldHeaders } from '../client/world.js';

/** Starts a login at the bank. Repeating the attempt key returns the same login. */
export async function openLogin(
  callBank: BankClient,
  context: LoginContext,
): Promise<RemoteObject> {
  const response = await callBank({
    operation: 'login',
    method: 'POST',
    path: ['v1', 'institutions', context.remoteId, 'logins'],
    ...loginRequestOf(context),
    expect: 201,
    signal: context.signal,
  });
  return new RemoteObject(response, 'login');
}

/** What every login sends to the bank. */
export function loginRequestOf(context: LoginContext) {
  return {
    headers: {
      'idempotency-key': encodeURIComponent(context.attemptKey),
      ...worldHeaders(context),
    },
    body: {
      customer_reference: customerReferenceOf(context),
      ...worldFields(context),
      is_relink: (context.relink ?? null) !== null,
      previous_connection_id: context.relink?.reference ?? null,
      custom_data: context.sandboxData ?? null,
    },
  };
}
