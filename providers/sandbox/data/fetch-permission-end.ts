import type { ProviderAccess } from '../../provider.js';
import type { BankClient } from '../client/bank-client.js';
import { authorization, decodeCredential } from '../client/credential.js';
import { RemoteObject } from '../../http/remote-object.js';
import { worldHeaders } from '../client/world.js';

/** The bank reports the end of a connection, not of each of its accounts. */
export async function fetchPermissionEnd(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<Date | null> {
  const credential = decodeCredential(access.credential);
  const response = await callBank({
    operation: 'data',
    method: 'GET',
    path: ['v1', 'connections', credential.connectionId],
    headers: { ...authorization(credential), ...worldHeaders(access) },
    expect: 200,
    signal: access.signal,
  });
  const connection = new RemoteObject(response, 'connection');
  connection.oneOf('connection_id', [credential.connectionId]);
  return connection.timestampOrNull('ends_at');
}
