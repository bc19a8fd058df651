import { webcrypto, type JsonWebKey } from 'node:crypto';
import * as oauth from 'openid-client';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Creates the private key to which the tokens of one permission are bound. */
export async function createDpopKey(): Promise<JsonWebKey> {
  const { privateKey } = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  return (await webcrypto.subtle.exportKey('jwk', privateKey)) as JsonWebKey;
}

/** Proves the possession of a key, and keeps the nonces of the bank (RFC 9449, 8). */
export async function dpopHandleOf(
  configuration: oauth.Configuration,
  key: JsonWebKey | null,
): Promise<oauth.DPoPHandle | undefined> {
  if (key === null) return undefined;
  const { d: _private, key_ops: _uses, ...publicKey } = key;
  return oauth.getDPoPHandle(configuration, {
    privateKey: await webcrypto.subtle.importKey('jwk', key, ALGORITHM, false, ['sign']),
    publicKey: await webcrypto.subtle.importKey('jwk', publicKey, ALGORITHM, true, ['verify']),
  });
}
