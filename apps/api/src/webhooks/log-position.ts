const FORM = /^evt:([0-9a-f]{16}):(\d{1,19})$/;
const LARGEST_KEY = 2n ** 63n - 1n;

/** A position in the event log, for one reader of it. @param reader the fingerprint of a list or listener */
export function encodePosition(reader: string, position: bigint): string {
  return Buffer.from(`evt:${reader}:${position}`).toString('base64url');
}

/** Null for a cursor this service did not issue for this reader. */
export function decodePosition(reader: string, cursor: string): bigint | null {
  const [, of, key] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (key === undefined || of !== reader) return null;
  const position = BigInt(key);
  return position > LARGEST_KEY || encodePosition(reader, position) !== cursor ? null : position;
}
