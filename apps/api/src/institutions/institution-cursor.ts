const PREFIX = 'ins:';

/** The start of the next page of institutions. Opaque to callers. */
export function encodeInstitutionCursor(lastId: string): string {
  return Buffer.from(PREFIX + lastId).toString('base64url');
}

/** Null for a cursor this service did not issue. */
export function decodeInstitutionCursor(cursor: string): string | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return text.startsWith(PREFIX) &&
    encodeInstitutionCursor(text.slice(PREFIX.length)) === cursor &&
    !text.includes('\u0000')
    ? text.slice(PREFIX.length)
    : null;
}
