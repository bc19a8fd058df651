import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import type { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { openPositions, sealPositions } from '../../../../prisma/base/keys/list-cursor.js';

type Keys = Pick<CursorKeys, 'currentKeyId' | 'mac'>;

/** The lists of a link whose cursor is one place. */
type ListOfLink = 'recurring' | 'liabilities';

/** A place in a list of a link, valid for this list of this link alone. */
export function encodeListPlace(
  keys: Keys,
  list: ListOfLink,
  linkId: string,
  place: bigint,
): string {
  return sealPositions(keys, `${list}/${linkId}`, [place]);
}

/** 0 = from the beginning. @throws ApiError for a cursor that this list did not return */
export function decodeListPlace(
  keys: Keys,
  list: ListOfLink,
  linkId: string,
  cursor: string | undefined,
): bigint {
  if (cursor === undefined || cursor === '') return 0n;
  const [place] = openPositions(keys, `${list}/${linkId}`, cursor, 1) ?? [];
  if (place === undefined)
    throw validationFailed([
      invalid(['query', 'cursor'], 'The cursor does not belong to this link.'),
    ]);
  return place;
}
