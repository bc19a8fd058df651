import type { Tenant } from '../../../../domain/api/environment.js';
import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import type {
  SessionFilter,
  SessionPosition,
} from '../../../../prisma/links/sessions/session-list.js';
import { listFingerprint } from '../http/list-fingerprint.js';

const FORM = /^ses:([0-9a-f]{16}):(\d{1,15}):([A-Za-z0-9_]{1,64})$/;

/** A position in one particular list of link sessions. Opaque to callers. Empty after the last page. */
export function encodeSessionPosition(
  tenant: Tenant,
  filter: SessionFilter,
  position: SessionPosition | null,
): string {
  if (position === null) return '';
  const { createdAt, sessionId } = position;
  const fields = ['ses', fingerprint(tenant, filter), createdAt.getTime(), sessionId];
  return Buffer.from(fields.join(':')).toString('base64url');
}

/** Null = from the beginning. @throws ApiError for a cursor that this list did not return */
export function decodeSessionPosition(
  tenant: Tenant,
  filter: SessionFilter,
  cursor: string | undefined,
): SessionPosition | null {
  if (cursor === undefined || cursor === '') return null;
  const [, list, time, sessionId] =
    FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (list === fingerprint(tenant, filter) && time !== undefined && sessionId !== undefined) {
    const position = { createdAt: new Date(Number(time)), sessionId };
    if (encodeSessionPosition(tenant, filter, position) === cursor) return position;
  }
  throw validationFailed([invalid(['query', 'cursor'], 'The cursor is not valid.')]);
}

/** The filters must stay the same while a cursor is used. Source: native-api 3.3. */
function fingerprint(tenant: Tenant, filter: SessionFilter): string {
  const { user, linkId, institutionId, state, createdSince } = filter;
  return listFingerprint(tenant, [user, linkId, institutionId, state, createdSince?.getTime()]);
}
