import type { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { openPositions, sealPositions } from '../../../../prisma/base/keys/list-cursor.js';

/** A position in the event log, for one reader of it. @param reader the fingerprint of a list or listener */
export function encodePosition(keys: CursorKeys, reader: string, position: bigint): string {
  return sealPositions(keys, listOf(reader), [position]);
}

/** Null for a cursor this service did not issue for this reader. */
export function decodePosition(keys: CursorKeys, reader: string, cursor: string): bigint | null {
  return openPositions(keys, listOf(reader), cursor, 1)?.[0] ?? null;
}

const listOf = (reader: string) => `events/${reader}`;
