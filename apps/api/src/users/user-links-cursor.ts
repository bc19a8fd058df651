import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';

const FORM = /^lnk:(\d{1,19})$/;
const LARGEST_KEY = 2n ** 63n - 1n;

/** The start of the next page of links. Opaque to callers. */
export function encodeLinkCursor(lastKey: bigint): string {
  return Buffer.from(`lnk:${lastKey}`).toString('base64url');
}

/** Null for a cursor this service did not issue. */
export function decodeLinkCursor(cursor: string): bigint | null {
  const [, key] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (key === undefined || encodeLinkCursor(BigInt(key)) !== cursor || BigInt(key) > LARGEST_KEY)
    return null;
  return BigInt(key);
}

/** The key of the link a page starts after; null = the first page. @throws ApiError */
export function readLinkCursor(cursor: string | undefined): bigint | null {
  if (cursor === undefined || cursor === '') return null;
  const after = decodeLinkCursor(cursor);
  if (after === null)
    throw validationFailed([invalid(['query', 'cursor'], 'The cursor is not valid.')]);
  return after;
}

/** `next_cursor` of a page of links; empty on the last one (native-api 7). */
export function nextLinkCursor({
  links,
  hasMore,
}: {
  links: readonly { pk: bigint }[];
  hasMore: boolean;
}): string {
  const last = links.at(-1);
  return hasMore && last !== undefined ? encodeLinkCursor(last.pk) : '';
}
