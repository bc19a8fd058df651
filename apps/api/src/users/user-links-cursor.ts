import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';

const FORM = /^lnk:(\d{1,19})(?::(\d{1,19}))?$/;
const LARGEST_KEY = 2n ** 63n - 1n;

/** The place at which a page of links, or of their accounts, starts. */
export interface LinkPosition {
  /** After this link; with an account: within it. */
  linkPk: bigint;
  /** After this account of the link. */
  accountPk?: bigint;
}

/** The start of the next page. Opaque to callers. */
export function encodeLinkCursor({ linkPk, accountPk }: LinkPosition): string {
  const text = accountPk === undefined ? `lnk:${linkPk}` : `lnk:${linkPk}:${accountPk}`;
  return Buffer.from(text).toString('base64url');
}

/** Null for a cursor this service did not issue. */
export function decodeLinkCursor(cursor: string): LinkPosition | null {
  const [, link, account] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (link === undefined) return null;
  const position = {
    linkPk: BigInt(link),
    ...(account === undefined ? {} : { accountPk: BigInt(account) }),
  };
  const isTooLarge = [link, account ?? 0].some((key) => BigInt(key) > LARGEST_KEY);
  return isTooLarge || encodeLinkCursor(position) !== cursor ? null : position;
}

/** The position a page starts at; null = the first page. @throws ApiError */
export function readLinkCursor(cursor: string | undefined): LinkPosition | null {
  if (cursor === undefined || cursor === '') return null;
  const position = decodeLinkCursor(cursor);
  if (position === null)
    throw validationFailed([invalid(['query', 'cursor'], 'The cursor is not valid.')]);
  return position;
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
  return hasMore && last !== undefined ? encodeLinkCursor({ linkPk: last.pk }) : '';
}
