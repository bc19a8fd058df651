import type pg from 'pg';
import type { Context } from '../context.js';

/** Longer than an API process waits for a caller that does not read. */
const IDLE = '90s';
/** A snapshot keeps PostgreSQL from removing old rows of all tables. */
const MAX_MS = 3_600_000;

export class ExportTooSlow extends Error {
  override readonly name = 'ExportTooSlow';

  constructor() {
    super('The reader of an export took longer than an hour.');
  }
}

/**
 * Yields what `read` reads of one moment, by a context whose pool is one read-only transaction. It
 * ends, and its connection is free, when the reader stops.
 * @throws ExportTooSlow
 */
export async function* inSnapshot(
  ctx: Context,
  read: (snapshot: Context) => AsyncGenerator<string>,
): AsyncGenerator<string> {
  const client = await ctx.database.snapshots.connect();
  let isClean = false;
  try {
    await client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = '${IDLE}'`,
    );
    const end = performance.now() + MAX_MS;
    // Repositories only query their pool.
    const pool = client as unknown as pg.Pool;
    for await (const text of read({ ...ctx, database: { ...ctx.database, pool } })) {
      yield text;
      if (performance.now() > end) throw new ExportTooSlow();
    }
    await client.query('COMMIT');
    isClean = true;
  } finally {
    client.release(!isClean);
  }
}
