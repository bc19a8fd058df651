/**
 * The mark by which a window recognizes its return address: base64url SHA-256 of the id,
 * without padding (connect 7).
 */
export async function isMeantFor(stateId: string, stateHash: string): Promise<boolean> {
  const digest = await sha256(new TextEncoder().encode(stateId));
  const expected = stateHash.replaceAll('-', '+').replaceAll('_', '/');
  // 32 bytes are 43 characters and the padding.
  return btoa(String.fromCharCode(...digest)) === `${expected}=`;
}

/**
 * Browsers have it on secure origins only. A phone that loads Connect from a developer's computer
 * over plain http gets ours, in a file of its own: no other page has to load it.
 */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = crypto as Partial<Crypto>;
  return subtle === undefined
    ? (await import('../../../../packages/connect-protocol/src/sha256.js')).sha256(bytes)
    : new Uint8Array(await subtle.digest('SHA-256', bytes));
}
