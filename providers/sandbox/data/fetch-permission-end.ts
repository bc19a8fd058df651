import type { ProviderAccess } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { decodeCredential } from '../client/credential.js';
import { RemoteObject } from '../../http/remote-object.js';

/** The bank reports the end of a connection, not of each of its accounts. */
export async function fetchPermissionEnd(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<Date | null> {
  const connection = new RemoteObject(await callConnection(callBank, access, {}), 'connection');
  connection.oneOf('connection_id', [decodeCredential(access.credential).connectionId]);
  return connection.timestampOrNull('ends_at');
}
