import type { Tenant } from '../../../../domain/api/environment.js';
import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import type { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { openPositions, sealPositions } from '../../../../prisma/base/keys/list-cursor.js';
import { listFingerprint } from '../http/list-fingerprint.js';

/** The lists of a customer user, in whose cursors the positions are. */
export interface UserLists {
  keys: Pick<CursorKeys, 'currentKeyId' | 'mac'>;
  tenant: Tenant;
  userId: string;
}

/** The place at which a page of links, or of their accounts, starts. */
export interface LinkPosition {
  /** After this link; with an account: within it. */
  linkPk: bigint;
  /** After this account of the link. */
  accountPk?: bigint;
}

/** Instead of the key of an account: keys begin with 1. */
const NO_ACCOUNT = 0n;

/** The start of the next page. Opaque to callers. */
export function encodeLinkCursor(lists: UserLists, { linkPk, accountPk }: LinkPosition): string {
  return sealPositions(lists.keys, nameOf(lists), [linkPk, accountPk ?? NO_ACCOUNT]);
}

/** Null for a cursor this service did not issue for this user. */
export function decodeLinkCursor(lists: UserLists, cursor: string): LinkPosition | null {
  const [linkPk, accountPk] = openPositions(lists.keys, nameOf(lists), cursor, 2) ?? [];
  if (linkPk === undefined || accountPk === undefined) return null;
  return accountPk === NO_ACCOUNT ? { linkPk } : { linkPk, accountPk };
}

/** The position a page starts at; null = the first page. @throws ApiError */
export function readLinkCursor(lists: UserLists, cursor: string | undefined): LinkPosition | null {
  if (cursor === undefined || cursor === '') return null;
  const position = decodeLinkCursor(lists, cursor);
  if (position === null)
    throw validationFailed([invalid(['query', 'cursor'], 'The cursor is not valid.')]);
  return position;
}

/** `next_cursor` of a page of links; empty on the last one (native-api 7). */
export function nextLinkCursor(
  lists: UserLists,
  { links, hasMore }: { links: readonly { pk: bigint }[]; hasMore: boolean },
): string {
  const last = links.at(-1);
  return hasMore && last !== undefined ? encodeLinkCursor(lists, { linkPk: last.pk }) : '';
}

const nameOf = ({ tenant, userId }: UserLists): string =>
  `user-links/${listFingerprint(tenant, [userId])}`;
