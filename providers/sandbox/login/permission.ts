import type { LinkedOutcome, LoginContext } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { encodeCredential } from '../client/credential.js';
import type { RemoteObject } from '../../http/remote-object.js';
import { startLogin } from './start-login.js';

export const TOKEN = /^[\w-]+$/;

/** The end of a login: the credential that opens the connection from now on. */
export function toPermission(
  connection: RemoteObject,
  consent: 'given_at_bank' | 'ask',
): LinkedOutcome {
  const connectionId = connection.text('connection_id', { max: 100, pattern: TOKEN });
  const accessToken = connection.text('access_token', { max: 200, pattern: TOKEN });
  return {
    kind: 'linked',
    credential: encodeCredential({ connectionId, accessToken }),
    reference: connectionId,
    consent,
  };
}

/**
 * Instant Bank connects immediately: no form, every account and product granted. Source:
 * link-lifecycle 13.1.
 */
export async function connectImmediately(
  callBank: BankClient,
  context: LoginContext,
): Promise<LinkedOutcome> {
  return toPermission(await startLogin(callBank, context, 'connections'), 'given_at_bank');
}
