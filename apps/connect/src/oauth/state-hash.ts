import { keepTrying } from '../session/keep-trying.js';

/**
 * How a window recognizes a return address that is meant for it: base64url SHA-256 of the id,
 * without padding (connect 7).
 */
export async function isMeantFor(stateId: string, stateHash: string): Promise<boolean> {
  const base64 = btoa(String.fromCharCode(...(await sha256(new TextEncoder().encode(stateId)))));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === stateHash;
}

/**
 * Browsers have it on secure origins only. A phone that loads Connect from a developer's computer
 * over plain http gets ours, in a file of its own: no other page has to load it.
 */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = crypto as Partial<Crypto>;
  if (subtle !== undefined) return new Uint8Array(await subtle.digest('SHA-256', bytes));
  const own = await keepTrying(() => import('./sha256.js'));
  return own.sha256(bytes);
}
