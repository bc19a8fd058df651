import pg from 'pg';
import { sha256 } from '../database/bytes.js';
import type { Tx } from '../database/tx.js';
import { runLocked, type LockedStatement } from '../database/locked-statement.js';
import { notify, type DeliveryChannel, type Notification } from '../database/notifications.js';

const CLASS_HALF = 0x7765_6201;
const CLASS_ENDPOINT = 0x7765_6202;
/** Notifications of PostgreSQL hold less than 8,000 bytes, and endpoints only characters of one byte. */
const LONGEST_TOLD = 1_000;

/** Endpoints are divided in two by their names: claims over many of them wait for each other only within a half. */
export type EndpointHalf = 0 | 1;
export const BOTH_HALVES: readonly EndpointHalf[] = [0, 1];

/** Which half an endpoint belongs to. In SQL: `get_byte(sha256(convert_to(endpoint, 'UTF8')), 0) & 1`. */
export function halfOf(endpoint: string): EndpointHalf {
  return ((sha256(endpoint)[0] ?? 0) & 1) as EndpointHalf;
}

/** Where it is told that there is a first attempt to make in this half, and as the payload at which endpoint; without one, anywhere. */
export function deliveryChannel(half: EndpointHalf): DeliveryChannel {
  return `webhook_delivery_${half}`;
}

/** Tells after the commit that there are first attempts to make, at many endpoints or somewhere. */
export function notifyDeliveries(tx: Tx): void {
  for (const half of BOTH_HALVES) notify(tx, deliveryChannel(half));
}

/** Tells after the commit that there is a first attempt to make at this endpoint. */
export function notifyDelivery(tx: Tx, endpoint: string): void {
  const { channel, payload } = newsOf(endpoint);
  notify(tx, channel, payload);
}

/** What is told of a first attempt: where it is to be made, unless a notification cannot hold that. */
export function newsOf(endpoint: string): Notification {
  return {
    channel: deliveryChannel(halfOf(endpoint)),
    payload: endpoint.length > LONGEST_TOLD ? '' : endpoint,
  };
}

/**
 * Runs a claim of attempts such that no other claim counts the same free slot: claims over halves of the endpoints exclude
 * every other there, claims at one endpoint only those at the same.
 */
export async function inSlotClaim<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  where: { halves: readonly EndpointHalf[] } | { endpoint: string },
  claim: LockedStatement,
): Promise<Row[]> {
  // In one order, or two claims could wait for each other for ever.
  const locks =
    'halves' in where
      ? where.halves
          .toSorted()
          .map((half) => `SELECT pg_advisory_xact_lock(${CLASS_HALF}, ${half})`)
      : [
          `SELECT pg_advisory_xact_lock_shared(${CLASS_HALF}, ${halfOf(where.endpoint)}), pg_advisory_xact_lock(${CLASS_ENDPOINT}, hashtext(${pg.escapeLiteral(where.endpoint)}))`,
        ];
  return runLocked<Row>(pool, locks.join('; '), claim);
}
