import type pg from 'pg';

const CLASS_ALL = 0x7765_6201;
const CLASS_ENDPOINT = 0x7765_6202;
const BEGIN = 'BEGIN; SET LOCAL synchronous_commit = off';

/**
 * Runs a claim of attempts such that no other claim counts the same free slot: claims over all endpoints exclude every
 * other, claims at one endpoint only those at the same. The lock has to be held before the claim's snapshot is taken,
 * hence a statement of its own. A claim lost in a crash of the database is simply made again, so it waits for no disk.
 */
export async function inSlotClaim<T>(pool: pg.Pool, endpoint: 'all' | (string & {}), claim: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    if (endpoint === 'all') {
      await client.query(`${BEGIN}; SELECT pg_advisory_xact_lock(${CLASS_ALL}, 0)`);
    } else {
      await client.query(BEGIN);
      await client.query(`SELECT pg_advisory_xact_lock_shared(${CLASS_ALL}, 0), pg_advisory_xact_lock(${CLASS_ENDPOINT}, hashtext($1))`, [endpoint]);
    }
    const claimed = await claim(client);
    await client.query('COMMIT');
    return claimed;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
