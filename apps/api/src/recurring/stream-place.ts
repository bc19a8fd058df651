import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import type { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { openPositions, sealPositions } from '../../../../prisma/base/keys/list-cursor.js';

type Keys = Pick<CursorKeys, 'currentKeyId' | 'mac'>;

/** A place in the list of a link's streams, valid for this link alone. */
export function encodeStreamPlace(keys: Keys, linkId: string, place: number): string {
  return sealPositions(keys, listOf(linkId), [BigInt(place)]);
}

/** 0 = from the beginning. @throws ApiError for a cursor that this list did not return */
export function decodeStreamPlace(keys: Keys, linkId: string, cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0;
  const [place] = openPositions(keys, listOf(linkId), cursor, 1) ?? [];
  if (place === undefined)
    throw validationFailed([
      invalid(['query', 'cursor'], 'The cursor does not belong to this link.'),
    ]);
  return Number(place);
}

const listOf = (linkId: string) => `recurring/${linkId}`;
