import { FdxError } from './fdx-error.js';
import type { FdxValue } from './json-number.js';

export interface Page<T> {
  items: readonly T[];
  /** The `page` part of the body. */
  page: FdxValue;
}

/**
 * Cuts one page out of all items. `offset` is opaque to clients: FDX promises no numbers.
 * @throws FdxError 401 for a `limit` or `offset` that is not valid
 */
export function cutPage<T>(all: readonly T[], query: URLSearchParams, maxRows: number): Page<T> {
  const start = readOffset(query.get('offset'));
  const limit = Math.min(readLimit(query.get('limit'), maxRows), maxRows);
  const end = start + limit;
  return {
    items: all.slice(start, end),
    page: {
      nextOffset: end < all.length ? writeOffset(end) : undefined,
      totalElements: all.length,
    },
  };
}

function readLimit(text: string | null, maxRows: number): number {
  if (text === null) return maxRows;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new FdxError(401);
  return Number(text);
}

const writeOffset = (start: number): string => Buffer.from(`rows:${start}`).toString('base64url');

function readOffset(text: string | null): number {
  if (text === null) return 0;
  const start = /^rows:(\d{1,9})$/.exec(Buffer.from(text, 'base64url').toString('utf8'))?.[1];
  if (start === undefined) throw new FdxError(401);
  return Number(start);
}
