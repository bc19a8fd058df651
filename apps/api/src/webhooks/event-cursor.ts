import type { Tenant } from '../../../../domain/api/environment.js';
import type { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import type { EventFilter } from '../../../../prisma/announcements/webhook-log/webhook-log-query.js';
import { listFingerprint } from '../http/list-fingerprint.js';
import { decodePosition, encodePosition } from './log-position.js';

/** The filters that must stay the same while a cursor is used. Source: webhooks 9. */
export interface EventQuery {
  tenant: Tenant;
  filter: EventFilter;
  order: 'asc' | 'desc';
}

/** A position in one particular list of events. Opaque to callers. */
export function encodeEventCursor(keys: CursorKeys, query: EventQuery, position: bigint): string {
  return encodePosition(keys, fingerprint(query), position);
}

/** Null for a cursor this service did not issue for this list. */
export function decodeEventCursor(
  keys: CursorKeys,
  cursor: string,
  query: EventQuery,
): bigint | null {
  return decodePosition(keys, fingerprint(query), cursor);
}

function fingerprint({
  tenant,
  filter: { linkId, webhookEvent, status, createdAfter, createdBefore },
  order,
}: EventQuery): string {
  return listFingerprint(tenant, [
    order,
    linkId,
    webhookEvent,
    status === undefined ? null : [...new Set(status)].sort(),
    createdAfter?.getTime(),
    createdBefore?.getTime(),
  ]);
}
