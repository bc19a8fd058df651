import type { ProviderAccess, ProviderSecret } from '../../provider.js';
import { encodeState, SealedState } from './sealed-state.js';
import { worldHeaders } from './world.js';

/** Opens a connection at the bank. Leaves this folder only as bytes for the core to seal. */
export interface Credential {
  connectionId: string;
  accessToken: string;
}

export function encodeCredential({ connectionId, accessToken }: Credential): ProviderSecret {
  return encodeState({ connection_id: connectionId, access_token: accessToken });
}

export function decodeCredential(bytes: ProviderSecret): Credential {
  const stored = new SealedState(bytes, 'credential');
  return { connectionId: stored.text('connection_id'), accessToken: stored.text('access_token') };
}

export function authorization({ accessToken }: Credential): { authorization: string } {
  return { authorization: `Bearer ${accessToken}` };
}

/**
 * The headers of every data call: authorization, the key of the fetch, and the time of its world.
 */
export function dataHeaders(
  access: Pick<ProviderAccess, 'fetchKey' | 'worldTime'>,
  credential: Credential,
): Readonly<Record<string, string>> {
  const { fetchKey } = access;
  return {
    ...authorization(credential),
    ...worldHeaders(access),
    ...(fetchKey === undefined ? {} : { 'fetch-key': encodeURIComponent(fetchKey) }),
  };
}
