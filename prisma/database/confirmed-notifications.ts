import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Tx } from './tx.js';
import { inPoolTransaction } from './pool-transaction.js';

/**
 * How a sender knows that every listener has handled its notification (docs/decisions/0022): a listener holds an advisory
 * lock with a key of its own, and for each notification it has handled it takes another and lets go of the former. So
 * the sender waits for the locks there were before its commit.
 */
const CLASS = 7_201;
const LARGEST_KEY = 2 ** 31 - 1;

/** A connection that listens, as its senders see it. */
export class HandledMark {
  private key: number | undefined;

  constructor(private readonly client: pg.ClientBase) {}

  /** Everything that was notified so far has been handled. */
  async renew(): Promise<void> {
    const [former, key] = [this.key, randomInt(LARGEST_KEY)];
    this.key = key;
    await this.client.query(`SELECT pg_advisory_lock(${CLASS}, ${key})`);
    if (former !== undefined)
      await this.client.query(`SELECT pg_advisory_unlock(${CLASS}, ${former})`);
  }
}

/** The marks there are before the notification. */
export async function currentMarks(tx: Tx): Promise<number[]> {
  const rows = await tx.$queryRaw<{ key: bigint }[]>`
    SELECT objid::bigint AS key FROM pg_locks
     WHERE locktype = 'advisory' AND classid = ${CLASS}::oid AND objsubid = 2 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return rows.map(({ key }) => Number(key));
}

/** Resolves when all of them have been renewed, or when `withinMs` have passed. */
export async function untilRenewed(
  pool: pg.Pool,
  marks: readonly number[],
  withinMs: number,
): Promise<void> {
  if (marks.length === 0) return;
  await inPoolTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = ${withinMs}`);
    await client.query(
      `SELECT pg_advisory_xact_lock(${CLASS}, mark) FROM unnest($1::int[]) AS marks (mark)`,
      [marks],
    );
  }).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
