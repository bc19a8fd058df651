import type pg from 'pg';
import { inPoolTransaction } from '../pool-transaction.js';

const CLASS_ALL = 0x7765_6201;
const CLASS_ENDPOINT = 0x7765_6202;

/**
 * Runs a claim of attempts such that no other claim counts the same free slot: claims over all endpoints exclude every
 * other, claims at one endpoint only those at the same. The lock has to be held before the claim's snapshot is taken,
 * hence a statement of its own.
 */
export async function inSlotClaim<T>(pool: pg.Pool, endpoint: 'all' | (string & {}), claim: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  if (endpoint === 'all') return inPoolTransaction(pool, `BEGIN; SELECT pg_advisory_xact_lock(${CLASS_ALL}, 0)`, claim);
  return inPoolTransaction(pool, 'BEGIN', async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock_shared(${CLASS_ALL}, 0), pg_advisory_xact_lock(${CLASS_ENDPOINT}, hashtext($1))`, [endpoint]);
    return claim(client);
  });
}
