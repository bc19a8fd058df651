import { malformed, RemoteObject } from '../../http/remote-object.js';
import type { ProviderAccess } from '../../provider.js';
import type { ApiClient } from '../client/api-client.js';
import { sessionOver } from '../client/failure-table.js';
import { decodeCredential, type Credential } from '../client/sealed.js';

/**
 * Reads the session, which asks no bank and is not counted.
 * @throws ProviderFailure `consent_expired` for a session that has ended
 */
export async function readSession(
  callApi: ApiClient,
  access: ProviderAccess,
): Promise<Credential & { endsAt: Date }> {
  const credential = decodeCredential(access.credential);
  const response = await callApi({
    method: 'GET',
    path: ['sessions', credential.sessionId],
    signal: access.signal,
  });
  const session = new RemoteObject(response, 'session');
  if (session.text('status', { max: 40 }) !== 'AUTHORIZED') throw sessionOver();
  const endsAt = new Date(session.object('access').text('valid_until', { max: 60 }));
  if (Number.isNaN(endsAt.getTime())) throw malformed('session.access.valid_until is not a time');
  return { ...credential, endsAt };
}
