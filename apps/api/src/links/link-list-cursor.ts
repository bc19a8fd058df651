const FORM = /^lnk:(\d{1,19})$/;
const LARGEST_KEY = 2n ** 63n - 1n;

/** Where the next page of links begins. Opaque to callers. */
export function encodeLinkCursor(lastKey: bigint): string {
  return Buffer.from(`lnk:${lastKey}`).toString('base64url');
}

/** Null for anything this service did not write. */
export function decodeLinkCursor(cursor: string): bigint | null {
  const [, key] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (key === undefined || encodeLinkCursor(BigInt(key)) !== cursor || BigInt(key) > LARGEST_KEY) return null;
  return BigInt(key);
}
