import {
  decodePositions,
  encodePositions,
  type CursorForm,
  type CursorMac,
} from '../api/cursor-text.js';

/**
 * The position of a reader in a link's transactions; see the change log in docs/architecture.md.
 *
 * `floor`: everything up to here had been read when the current walk started. `position`: the last
 * version returned by the walk. `highWater`: the end of the walk; null = no walk in progress.
 */
export interface SyncCursor {
  floor: bigint;
  position: bigint;
  highWater: bigint | null;
}

export const SYNC_START: SyncCursor = { floor: 0n, position: 0n, highWater: null };

const FORM: CursorForm = { version: 1, positions: 3 };
const NO_WALK = 0xffff_ffff_ffff_ffffn;

/** Encodes a cursor of one link as 60 characters of base64url text. */
export function encodeCursor(
  { floor, position, highWater }: SyncCursor,
  linkId: string,
  keyId: number,
  mac: CursorMac,
): string {
  return encodePositions(FORM, [floor, position, highWater ?? NO_WALK], linkId, keyId, mac);
}

/** Decodes a cursor. Returns null for any text that this service did not write for this link. */
export function decodeCursor(text: string, linkId: string, mac: CursorMac): SyncCursor | null {
  const [floor, position, highWater] = decodePositions(FORM, text, linkId, mac) ?? [];
  if (floor === undefined || position === undefined || highWater === undefined) return null;
  return { floor, position, highWater: highWater === NO_WALK ? null : highWater };
}

/** The cursor after a page that ended at `lastSeq` (null = the page was empty). */
export function advanceCursor(
  cursor: SyncCursor,
  highWater: bigint,
  lastSeq: bigint | null,
  hasMore: boolean,
): SyncCursor {
  if (hasMore && lastSeq !== null) return { floor: cursor.floor, position: lastSeq, highWater };
  return { floor: highWater, position: highWater, highWater: null };
}
