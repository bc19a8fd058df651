import {
  decodePositions,
  encodePositions,
  type CursorForm,
  type CursorMac,
} from '../api/cursor-text.js';

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

const FORM: CursorForm = { version: 1, positions: 3 };
const NO_WALK = 0xffff_ffff_ffff_ffffn;

/** Writes a cursor of one link as base64url text of 60 characters. */
export function encodeCursor(
  { floor, position, highWater }: SyncCursor,
  linkId: string,
  keyId: number,
  mac: CursorMac,
): string {
  return encodePositions(FORM, [floor, position, highWater ?? NO_WALK], linkId, keyId, mac);
}

/** Reads a cursor back. Answers null for anything this service did not write for this link. */
export function decodeCursor(text: string, linkId: string, mac: CursorMac): SyncCursor | null {
  const [floor, position, highWater] = decodePositions(FORM, text, linkId, mac) ?? [];
  if (floor === undefined || position === undefined || highWater === undefined) return null;
  return { floor, position, highWater: highWater === NO_WALK ? null : highWater };
}

/** Where the reader stands after a page that ended at `lastSeq` (null = the page was empty). */
export function advanceCursor(
  cursor: SyncCursor,
  highWater: bigint,
  lastSeq: bigint | null,
  hasMore: boolean,
): SyncCursor {
  if (hasMore && lastSeq !== null) return { floor: cursor.floor, position: lastSeq, highWater };
  return { floor: highWater, position: highWater, highWater: null };
}
