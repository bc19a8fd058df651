import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Tx } from './tx.js';
import { inPoolTransaction } from './pool-transaction.js';

/**
 * Confirms to a sender that every listener has handled its notification (docs/decisions/0022). Each
 * listener holds an advisory lock with its own key; after handling a notification it takes a new
 * lock and releases the previous one. The sender waits for the locks that existed before its
 * commit.
 */
const CLASS = 7_201;
const LARGEST_KEY = 2 ** 31 - 1;

/** The lock that marks a listening connection. */
export class HandledMark {
  private key: number | undefined;

  constructor(private readonly client: pg.ClientBase) {}

  /** Marks every notification so far as handled. */
  async renew(): Promise<void> {
    const [former, key] = [this.key, randomInt(LARGEST_KEY)];
    this.key = key;
    await this.client.query(`SELECT pg_advisory_lock(${CLASS}, ${key})`);
    if (former !== undefined)
      await this.client.query(`SELECT pg_advisory_unlock(${CLASS}, ${former})`);
  }
}

/** The marks of all listeners before the notification. */
export async function currentMarks(tx: Tx): Promise<number[]> {
  const rows = await tx.$queryRaw<{ key: bigint }[]>`
    SELECT objid::bigint AS key FROM pg_locks
     WHERE locktype = 'advisory' AND classid = ${CLASS}::oid AND objsubid = 2 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return rows.map(({ key }) => Number(key));
}

/** Resolves when all marks have been renewed, or after `withinMs`. */
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
