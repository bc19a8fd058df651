import type { Tenant } from '../../../../domain/api/environment.js';
import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import type { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { openPositions, sealPositions } from '../../../../prisma/base/keys/list-cursor.js';
import type {
  LinkFilter,
  LinkPosition,
} from '../../../../prisma/links/link/link-page-statement.js';
import { listFingerprint } from '../http/list-fingerprint.js';

/** A position in one particular list of links. Opaque to callers. Empty after the last page. */
export function encodeLinkPosition(
  keys: CursorKeys,
  tenant: Tenant,
  filter: LinkFilter,
  position: LinkPosition | null,
): string {
  if (position === null) return '';
  const { pk, updatedAt } = position;
  return sealPositions(keys, listOf(tenant, filter), [BigInt(updatedAt.getTime()), pk]);
}

/** Null = from the beginning. @throws ApiError for a cursor that this list did not return */
export function decodeLinkPosition(
  keys: CursorKeys,
  tenant: Tenant,
  filter: LinkFilter,
  cursor: string | undefined,
): LinkPosition | null {
  if (cursor === undefined || cursor === '') return null;
  const [time, pk] = openPositions(keys, listOf(tenant, filter), cursor, 2) ?? [];
  if (time === undefined || pk === undefined)
    throw validationFailed([invalid(['query', 'cursor'], 'The cursor is not valid.')]);
  return { pk, updatedAt: new Date(Number(time)) };
}

/** The filters must stay the same while a cursor is used. Source: native-api 3.4. */
function listOf(tenant: Tenant, filter: LinkFilter): string {
  const { user, tag, error, institutionId, provider, state, updatedSince } = filter;
  const filters = [user, tag, error, institutionId, provider, state, updatedSince?.getTime()];
  return `links/${listFingerprint(tenant, filters)}`;
}
