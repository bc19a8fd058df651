import type { Tenant } from '../../../../domain/api/environment.js';
import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import type { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { openPositions, sealPositions } from '../../../../prisma/base/keys/list-cursor.js';
import type {
  LinkFilter,
  LinkOrder,
  LinkPosition,
} from '../../../../prisma/links/link/link-filter.js';
import { listFingerprint } from '../http/list-fingerprint.js';

/** A list of links; a cursor is valid for the same one alone. Source: native-api 3.4. */
export interface LinkQuery {
  tenant: Tenant;
  filter: LinkFilter;
  order: LinkOrder;
}

/** A position in one particular list of links. Opaque to callers. Empty after the last page. */
export function encodeLinkPosition(
  keys: CursorKeys,
  query: LinkQuery,
  position: LinkPosition | null,
): string {
  if (position === null) return '';
  const { pk, updatedAt } = position;
  return sealPositions(keys, listOf(query), [BigInt(updatedAt.getTime()), pk]);
}

/** Null = from the beginning. @throws ApiError for a cursor that this list did not return */
export function decodeLinkPosition(
  keys: CursorKeys,
  query: LinkQuery,
  cursor: string | undefined,
): LinkPosition | null {
  if (cursor === undefined || cursor === '') return null;
  const [time, pk] = openPositions(keys, listOf(query), cursor, 2) ?? [];
  if (time === undefined || pk === undefined)
    throw validationFailed([invalid(['query', 'cursor'], 'The cursor is not valid.')]);
  return { pk, updatedAt: new Date(Number(time)) };
}

function listOf({ tenant, filter, order }: LinkQuery): string {
  const { user, tag, error, institutionId, provider, state, updatedSince, include } = filter;
  const filters = [user, tag, error, institutionId, provider, state, updatedSince?.getTime()];
  return `links/${listFingerprint(tenant, [...filters, [...new Set(include)].sort(), order])}`;
}
