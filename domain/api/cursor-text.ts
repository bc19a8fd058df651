/** Computes a MAC with the key of the given id; the first 16 bytes are used. */
export type CursorMac = (keyId: number, message: Uint8Array) => Uint8Array;

/** Layout of a kind of cursor: its version byte and number of positions. */
export interface CursorForm {
  version: number;
  positions: number;
}

const MAC_BYTES = 16;
const PREFIX_BYTES = 1 + 4;

/**
 * Encodes positions as base64url text: version, key id, positions, and a MAC over them and `owner`,
 * which is not part of the text. Equal positions give equal text.
 */
export function encodePositions(
  { version }: CursorForm,
  positions: readonly bigint[],
  owner: string,
  keyId: number,
  mac: CursorMac,
): string {
  const headerBytes = PREFIX_BYTES + 8 * positions.length;
  const bytes = new Uint8Array(headerBytes + MAC_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, version);
  view.setUint32(1, keyId);
  positions.forEach((position, index) => view.setBigUint64(PREFIX_BYTES + 8 * index, position));
  bytes.set(
    mac(keyId, authenticated(bytes.subarray(0, headerBytes), owner)).subarray(0, MAC_BYTES),
    headerBytes,
  );
  return toBase64Url(bytes);
}

/**
 * Decodes positions. Returns null for any text that this service did not write in that form for
 * that owner. `mac` may throw for an unknown key id; that counts as unreadable, too.
 */
export function decodePositions(
  { version, positions }: CursorForm,
  text: string,
  owner: string,
  mac: CursorMac,
): bigint[] | null {
  const bytes = fromBase64Url(text);
  const headerBytes = PREFIX_BYTES + 8 * positions;
  if (bytes === null || bytes.length !== headerBytes + MAC_BYTES || bytes[0] !== version)
    return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let expected: Uint8Array;
  try {
    expected = mac(
      view.getUint32(1),
      authenticated(bytes.subarray(0, headerBytes), owner),
    ).subarray(0, MAC_BYTES);
  } catch {
    return null;
  }
  if (!equalInConstantTime(expected, bytes.subarray(headerBytes))) return null;
  return Array.from({ length: positions }, (_, index) =>
    view.getBigUint64(PREFIX_BYTES + 8 * index),
  );
}

function authenticated(header: Uint8Array, owner: string): Uint8Array {
  const name = Uint8Array.from(owner, (character) => character.charCodeAt(0) & 0xff);
  const message = new Uint8Array(header.length + name.length);
  message.set(header);
  message.set(name, header.length);
  return message;
}

function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i += 1) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += ALPHABET[(buffer >> bits) & 63];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET[(buffer << (6 - bits)) & 63];
}

/**
 * Accepts only canonical base64url (no leftover character, leftover bits zero), so that each cursor
 * has exactly one spelling.
 */
function fromBase64Url(text: string): Uint8Array | null {
  if (text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8));
  let buffer = 0;
  let bits = 0;
  let at = 0;
  for (const character of text) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) return null;
    buffer = (buffer << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (buffer >> bits) & 255;
      at += 1;
    }
    buffer &= (1 << bits) - 1;
  }
  return buffer === 0 ? bytes : null;
}
