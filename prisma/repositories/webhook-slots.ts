import type pg from 'pg';
import { sha256 } from '../context.js';
import { inPoolTransaction } from '../pool-transaction.js';

const CLASS_HALF = 0x7765_6201;
const CLASS_ENDPOINT = 0x7765_6202;

/** Endpoints are divided in two by their names: claims over many of them wait for each other only within a half. */
export type EndpointHalf = 0 | 1;
export const BOTH_HALVES: readonly EndpointHalf[] = [0, 1];

/** Which half an endpoint belongs to. In SQL: `get_byte(sha256(convert_to(endpoint, 'UTF8')), 0) & 1`. */
export function halfOf(endpoint: string): EndpointHalf {
  return ((sha256(endpoint)[0] ?? 0) & 1) as EndpointHalf;
}

/**
 * Runs a claim of attempts such that no other claim counts the same free slot: claims over halves of the endpoints exclude
 * every other there, claims at one endpoint only those at the same. The locks have to be held before the claim's snapshot
 * is taken, hence statements of their own.
 */
export async function inSlotClaim<T>(pool: pg.Pool, where: { halves: readonly EndpointHalf[] } | { endpoint: string }, claim: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  if ('halves' in where) {
    // In one order, or two claims could wait for each other for ever.
    const locks = where.halves.toSorted().map((half) => `SELECT pg_advisory_xact_lock(${CLASS_HALF}, ${half})`);
    return inPoolTransaction(pool, ['BEGIN', ...locks].join('; '), claim);
  }
  return inPoolTransaction(pool, 'BEGIN', async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock_shared(${CLASS_HALF}, $1), pg_advisory_xact_lock(${CLASS_ENDPOINT}, hashtext($2))`, [halfOf(where.endpoint), where.endpoint]);
    return claim(client);
  });
}
