/**
 * Where a reader of a link's transactions stands. Source: architecture of the change log in docs/architecture.md.
 *
 * `floor`: the position up to which the reader had seen everything when its walk began.
 * `position`: the last version of the walk it has been given. `highWater`: where the walk ends; null = no walk under way.
 */
export interface SyncCursor {
  floor: bigint;
  position: bigint;
  highWater: bigint | null;
}

export const SYNC_START: SyncCursor = { floor: 0n, position: 0n, highWater: null };

/** Authenticates bytes with the key of that id; 16 bytes are kept. The link id is part of what is authenticated. */
export type CursorMac = (keyId: number, message: Uint8Array) => Uint8Array;

const VERSION = 1;
const MAC_BYTES = 16;
const HEADER_BYTES = 1 + 4 + 8 * 3;
const NO_WALK = 0xffff_ffff_ffff_ffffn;

/** Writes a cursor as base64url text of 60 characters: version, key id, three positions, MAC over them and the link id. */
export function encodeCursor(cursor: SyncCursor, linkId: string, keyId: number, mac: CursorMac): string {
  const bytes = new Uint8Array(HEADER_BYTES + MAC_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION);
  view.setUint32(1, keyId);
  view.setBigUint64(5, cursor.floor);
  view.setBigUint64(13, cursor.position);
  view.setBigUint64(21, cursor.highWater ?? NO_WALK);
  bytes.set(mac(keyId, authenticated(bytes, linkId)).subarray(0, MAC_BYTES), HEADER_BYTES);
  return toBase64Url(bytes);
}

/**
 * Reads a cursor back. Answers null for anything this service did not write for this link.
 * `mac` may throw for an unknown key id; that counts as unreadable too.
 */
export function decodeCursor(text: string, linkId: string, mac: CursorMac): SyncCursor | null {
  const bytes = fromBase64Url(text);
  if (bytes === null || bytes.length !== HEADER_BYTES + MAC_BYTES || bytes[0] !== VERSION) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let expected: Uint8Array;
  try {
    expected = mac(view.getUint32(1), authenticated(bytes, linkId)).subarray(0, MAC_BYTES);
  } catch {
    return null;
  }
  if (!equalInConstantTime(expected, bytes.subarray(HEADER_BYTES))) return null;
  const highWater = view.getBigUint64(21);
  return { floor: view.getBigUint64(5), position: view.getBigUint64(13), highWater: highWater === NO_WALK ? null : highWater };
}

/** Where the reader stands after a page that ended at `lastSeq` (null = the page was empty). */
export function advanceCursor(cursor: SyncCursor, highWater: bigint, lastSeq: bigint | null, hasMore: boolean): SyncCursor {
  if (hasMore && lastSeq !== null) return { floor: cursor.floor, position: lastSeq, highWater };
  return { floor: highWater, position: highWater, highWater: null };
}

function authenticated(bytes: Uint8Array, linkId: string): Uint8Array {
  const id = Uint8Array.from(linkId, (character) => character.charCodeAt(0) & 0xff);
  const message = new Uint8Array(HEADER_BYTES + id.length);
  message.set(bytes.subarray(0, HEADER_BYTES));
  message.set(id, HEADER_BYTES);
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

/** Canonical base64url only: no leftover character and leftover bits zero, so that one cursor has one spelling. */
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
