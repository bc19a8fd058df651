import type { LoginContext, LoginOutcome } from '../../provider.js';
import type { BankClient } from '../client/bank-client.js';
import { customerReferenceOf } from '../client/customer-reference.js';
import { toPermission } from './permission.js';
import { RemoteObject } from '../../http/remote-object.js';
import { worldFields, worldHeaders } from '../client/world.js';

/**
 * Instant Bank connects immediately: no form, every account and product granted. Source:
 * link-lifecycle 13.1.
 */
export async function connectImmediately(
  callBank: BankClient,
  context: LoginContext,
): Promise<LoginOutcome> {
  const response = await callBank({
    operation: 'login',
    method: 'POST',
    path: ['v1', 'institutions', context.remoteId, 'connections'],
    headers: {
      'idempotency-key': encodeURIComponent(context.attemptKey),
      ...worldHeaders(context),
    },
    body: {
      customer_reference: customerReferenceOf(context),
      previous_connection_id: context.relink?.reference ?? null,
      ...worldFields(context),
    },
    expect: 201,
    signal: context.signal,
  });
  return toPermission(new RemoteObject(response, 'connection'), 'given_at_bank');
}
