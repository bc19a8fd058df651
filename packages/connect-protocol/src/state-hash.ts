import { sha256 } from './sha256.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Of 32 bytes in base64url, without padding. */
const LENGTH = 43;

/** The mark by which a login is recognized without its `oauth_state_id`: `state_hash` of connect 7. */
export function stateHash(stateId: string): string {
  const bytes = sha256(Uint8Array.from(stateId, (character) => character.charCodeAt(0)));
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const bits = (first << 16) | (second << 8) | third;
    for (const shift of [18, 12, 6, 0]) text += ALPHABET.charAt((bits >> shift) & 63);
  }
  return text.slice(0, LENGTH);
}
