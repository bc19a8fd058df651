import type { Tenant } from '../../../../domain/api/environment.js';
import type { EventFilter } from '../../../../prisma/webhook-log/webhook-log-query.js';
import { listFingerprint } from '../http/list-fingerprint.js';

/** The filters that must stay the same while a cursor is used. Source: webhooks 9. */
export interface EventQuery {
  tenant: Tenant;
  filter: EventFilter;
  order: 'asc' | 'desc';
}

const FORM = /^evt:([0-9a-f]{16}):(\d{1,19})$/;
const LARGEST_KEY = 2n ** 63n - 1n;

/** A position in one particular list of events. Opaque to callers. */
export function encodeEventCursor(query: EventQuery, position: bigint): string {
  return Buffer.from(`evt:${fingerprint(query)}:${position}`).toString('base64url');
}

/** Null for a cursor this service did not issue for this list. */
export function decodeEventCursor(cursor: string, query: EventQuery): bigint | null {
  const [, of, key] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (key === undefined || of !== fingerprint(query)) return null;
  const position = BigInt(key);
  return position > LARGEST_KEY || encodeEventCursor(query, position) !== cursor ? null : position;
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
