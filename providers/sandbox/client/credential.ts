import type { ProviderSecret } from '../../contract/provider.js';
import { encodeState, SealedState } from './sealed-state.js';

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
