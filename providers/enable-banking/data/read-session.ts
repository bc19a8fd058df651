import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderAccess } from '../../contract/provider.js';
import type { ApiClient } from '../client/api-client.js';
import { sessionOver } from '../client/failure-table.js';
import { decodeCredential, type Credential } from '../client/sealed.js';

/**
 * Source: the vendor's OpenAPI description (SessionStatus). An unknown status would not end a
 * permission.
 */
const STATUSES = [
  'AUTHORIZED',
  'CANCELLED',
  'CLOSED',
  'EXPIRED',
  'INVALID',
  'PENDING_AUTHORIZATION',
  'RETURNED_FROM_BANK',
  'REVOKED',
] as const;

/**
 * Reads the session, which does not reach a bank and is not counted.
 * @returns the credential that opens it, with the facts that the API shows
 * @throws ProviderFailure `consent_expired` for a session that has ended
 */
export async function readSession(
  callApi: ApiClient,
  access: ProviderAccess,
): Promise<Credential & { session: RemoteObject }> {
  const credential = decodeCredential(access.credential);
  const response = await callApi({
    method: 'GET',
    path: ['sessions', credential.sessionId],
    signal: access.signal,
  });
  const session = new RemoteObject(response, 'session');
  if (session.oneOf('status', STATUSES) !== 'AUTHORIZED') throw sessionOver();
  return { ...credential, session };
}

/** Returns the time at which the permission ends. @throws ProviderFailure */
export async function fetchPermissionEnd(
  callApi: ApiClient,
  access: ProviderAccess,
): Promise<Date> {
  const { session } = await readSession(callApi, access);
  return session.object('access').time('valid_until');
}
