import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { CursorKeys } from './cursor-key.repository.js';

type Keys = Pick<CursorKeys, 'currentKeyId' | 'mac'>;

const CIPHER = 'aes-256-gcm';
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const POSITION_BYTES = 8;
const OVERHEAD = KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

/**
 * Positions in a list as base64url text that only this service can read: keys of rows come from
 * sequences that all apps share, so a visible one would count what others do. Equal positions give
 * equal text.
 * @param list identifies the list and its caller; the text is valid for no other
 * @param positions from 0 to 2^63 - 1
 */
export function sealPositions(keys: Keys, list: string, positions: readonly bigint[]): string {
  const text = Buffer.alloc(positions.length * POSITION_BYTES);
  for (const [index, position] of positions.entries())
    text.writeBigUInt64BE(position, index * POSITION_BYTES);
  return sealPlace(keys, list, text);
}

/** Any place in a list, in the same way. */
export function sealPlace(keys: Keys, list: string, text: Buffer): string {
  const keyId = keys.currentKeyId;
  const nonce = nonceOf(keys, keyId, list, text);
  const cipher = createCipheriv(CIPHER, cipherKey(keys, keyId), nonce);
  cipher.setAAD(Buffer.from(list));
  const header = Buffer.alloc(KEY_ID_BYTES);
  header.writeUInt32BE(keyId);
  const sealed = [header, nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** Null for a cursor that this service did not return for this list. @param count the number of positions */
export function openPositions(
  keys: Keys,
  list: string,
  cursor: string,
  count: number,
): bigint[] | null {
  const text = openPlace(keys, list, cursor);
  if (text?.length !== count * POSITION_BYTES) return null;
  return Array.from({ length: count }, (_, index) => text.readBigUInt64BE(index * POSITION_BYTES));
}

/** Null for a text that this service did not seal for this list. */
export function openPlace(keys: Keys, list: string, cursor: string): Buffer | null {
  const bytes = Buffer.from(cursor, 'base64url');
  const isCanonical = bytes.toString('base64url') === cursor;
  if (!isCanonical || bytes.length < OVERHEAD) return null;
  const nonce = bytes.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, cipherKey(keys, bytes.readUInt32BE()), nonce);
    decipher.setAAD(Buffer.from(list));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(KEY_ID_BYTES + NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]);
  } catch {
    // An unknown key, or bytes that this service did not seal.
    return null;
  }
}

const cipherKey = (keys: Keys, keyId: number) => keys.mac(keyId, Buffer.from('list-cursor/key'));

/** Derived from what it seals, so that it repeats only with the same text. */
const nonceOf = (keys: Keys, keyId: number, list: string, text: Buffer): Buffer =>
  Buffer.from(
    keys.mac(keyId, Buffer.concat([Buffer.from(`list-cursor/nonce/${list}/`), text])),
  ).subarray(0, NONCE_BYTES);
