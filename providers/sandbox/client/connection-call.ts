import type { ProviderAccess } from '../../contract/provider.js';
import type { BankCall, BankClient } from './bank-client.js';
import { decodeCredential } from './credential.js';
import { worldHeaders } from './world.js';

/** A call about the connection of a permission. */
export interface ConnectionCall extends Pick<BankCall, 'query' | 'body' | 'expect'> {
  method?: BankCall['method'];
  /** The part of the connection; missing = the connection itself. */
  part?: string;
}

/** Calls with the token of the connection, the key of the fetch, and the time of its world. */
export function callConnection(
  callBank: BankClient,
  access: ProviderAccess,
  { method = 'GET', part, ...call }: ConnectionCall,
): Promise<unknown> {
  const { connectionId, accessToken } = decodeCredential(access.credential);
  const { fetchKey, signal } = access;
  return callBank({
    ...call,
    method,
    path: ['v1', 'connections', connectionId, ...(part === undefined ? [] : [part])],
    headers: {
      authorization: `Bearer ${accessToken}`,
      ...worldHeaders(access),
      ...(fetchKey === undefined ? {} : { 'fetch-key': encodeURIComponent(fetchKey) }),
    },
    signal,
  });
}
