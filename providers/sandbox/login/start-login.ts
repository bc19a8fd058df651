import { createHash } from 'node:crypto';
import { RemoteObject } from '../../http/remote-object.js';
import type { LoginContext } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { worldFields, worldHeaders } from '../client/world.js';

/**
 * `connections`: the customer is connected immediately. `logins`: step by step, or on the bank's
 * pages. `sign-ins`: a whole login in one call.
 */
type Way = 'connections' | 'logins' | 'sign-ins';

/** Starts a login at the bank. Repeating the attempt key returns the same login. */
export async function startLogin(
  callBank: BankClient,
  context: LoginContext,
  way: Way,
  credentials: Readonly<Record<string, string>> = {},
): Promise<RemoteObject> {
  const response = await callBank({
    operation: 'login',
    method: 'POST',
    path: ['v1', 'institutions', context.remoteId, way],
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
      areas: areasOf(context),
      ...credentials,
    },
    signal: context.signal,
  });
  return new RemoteObject(response, 'login');
}

/** The bank shows accounts and data of these products only to a permission that names them. */
const areasOf = ({ requestedProducts }: LoginContext) =>
  requestedProducts.filter((product) => product === 'investments' || product === 'liabilities');

/**
 * The customer id sent to the sandbox bank. The bank only has to distinguish customers; it must not
 * receive the app's user id, which may be an email address that erasing the user could not remove
 * there.
 */
function customerReferenceOf({ customerUserId }: LoginContext): string {
  return createHash('sha256').update(`sandbox-customer/${customerUserId}`).digest('base64url');
}
