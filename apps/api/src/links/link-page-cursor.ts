import type { Tenant } from '../../../../domain/api/environment.js';
import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import type { LinkFilter, LinkPosition } from '../../../../prisma/links/link-page-statement.js';
import { listFingerprint } from '../http/list-fingerprint.js';

const FORM = /^lnk:([0-9a-f]{16}):(\d{1,15}):(\d{1,19})$/;
const LARGEST_KEY = 2n ** 63n - 1n;
const LARGEST_TIME = 8.64e15;

/** A position in one particular list of links. Opaque to callers. Empty after the last page. */
export function encodeLinkPosition(
  tenant: Tenant,
  filter: LinkFilter,
  position: LinkPosition | null,
): string {
  if (position === null) return '';
  const { pk, updatedAt } = position;
  const fields = ['lnk', fingerprint(tenant, filter), updatedAt.getTime(), pk];
  return Buffer.from(fields.join(':')).toString('base64url');
}

/** Null = from the beginning. @throws ApiError for a cursor that this list did not return */
export function decodeLinkPosition(
  tenant: Tenant,
  filter: LinkFilter,
  cursor: string | undefined,
): LinkPosition | null {
  if (cursor === undefined || cursor === '') return null;
  const [, list, time, key] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (list === fingerprint(tenant, filter) && time !== undefined && key !== undefined) {
    const position = { pk: BigInt(key), updatedAt: new Date(Number(time)) };
    const isPossible = position.pk <= LARGEST_KEY && Number(time) <= LARGEST_TIME;
    if (isPossible && encodeLinkPosition(tenant, filter, position) === cursor) return position;
  }
  throw validationFailed([invalid(['query', 'cursor'], 'The cursor is not valid.')]);
}

/** The filters must stay the same while a cursor is used. Source: native-api 3.4. */
function fingerprint(tenant: Tenant, filter: LinkFilter): string {
  const { user, tag, error, institutionId, provider, state, updatedSince } = filter;
  const filters = [user, tag, error, institutionId, provider, state, updatedSince?.getTime()];
  return listFingerprint(tenant, filters);
}
