import { ProviderFailure } from '../../domain/provider-failure.js';
import type { ProviderSecret } from '../provider.js';

/** What opens a connection at the bank. Leaves this folder only as bytes for the core to seal. */
export interface Credential {
  connectionId: string;
  accessToken: string;
}

export function encodeCredential({ connectionId, accessToken }: Credential): ProviderSecret {
  return new TextEncoder().encode(JSON.stringify({ connection_id: connectionId, access_token: accessToken }));
}

export function decodeCredential(bytes: ProviderSecret): Credential {
  const { connection_id: connectionId, access_token: accessToken } = parse(bytes);
  if (typeof connectionId !== 'string' || typeof accessToken !== 'string') throw unreadable();
  return { connectionId, accessToken };
}

export function authorization({ accessToken }: Credential): { authorization: string } {
  return { authorization: `Bearer ${accessToken}` };
}

function parse(bytes: ProviderSecret): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // the parser's own message could quote the secret
  }
  throw unreadable();
}

function unreadable(): ProviderFailure {
  return new ProviderFailure('internal', 'The stored credential is not one of this provider.');
}
