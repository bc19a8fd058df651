import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import type { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { openPositions, sealPositions } from '../../../../prisma/base/keys/list-cursor.js';
import {
  FIRST_PLACE,
  type HoldingPlace,
} from '../../../../prisma/links/investments/holding.repository.js';

type Keys = Pick<CursorKeys, 'currentKeyId' | 'mac'>;

/** A list of holdings: of a link, today or on a day in the past. */
export interface HoldingList {
  linkId: string;
  on: string | undefined;
}

/** A place in a list, valid for this list alone. */
export function encodeHoldingPlace(
  keys: Keys,
  list: HoldingList,
  { accountPk, place }: HoldingPlace,
): string {
  return sealPositions(keys, nameOf(list), [accountPk, BigInt(place)]);
}

/** @throws ApiError for a cursor that this list did not return */
export function decodeHoldingPlace(
  keys: Keys,
  list: HoldingList,
  cursor: string | undefined,
): HoldingPlace {
  if (cursor === undefined || cursor === '') return FIRST_PLACE;
  const [accountPk, place] = openPositions(keys, nameOf(list), cursor, 2) ?? [];
  if (accountPk === undefined || place === undefined)
    throw validationFailed([
      invalid(['query', 'cursor'], 'The cursor does not belong to this list.'),
    ]);
  return { accountPk, place: Number(place) };
}

const nameOf = ({ linkId, on = 'now' }: HoldingList) => `holdings/${linkId}/${on}`;
