import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { isStorageUnavailable, StorageUnavailable } from './storage-unavailable.js';

/** The bank's access to PostgreSQL. Throws `StorageUnavailable` while it cannot be reached. */
export interface Database {
  /** `Row` names the columns that the statement selects. */
  query<Row extends object = object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs several statements on one connection, in one transaction. */
  transaction<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openDatabase(connectionString: string, logger: Logger): Database {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'tributary-sandbox-bank',
    max: 10,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    query_timeout: 5_000,
    statement_timeout: 4_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // without listeners, the end of PostgreSQL would end this process
  pool.on('error', (error) => logger.warn({ err: error }, 'sandbox_bank.database_connection_lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) =>
      logger.debug({ err: error }, 'sandbox_bank.database_client_error'),
    );
  });

  async function translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw isStorageUnavailable(error) ? new StorageUnavailable(error) : error;
    }
  }

  return {
    query: <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      translated(async () => (await pool.query<Row>(sql, [...values])).rows),
    transaction: (run) => translated(() => inTransaction(pool, run)),
    close: () => pool.end(),
  };
}

async function inTransaction<T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await run(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // a connection in an unknown state is discarded, which rolls back
    client.release(true);
    throw error;
  }
}

/** Uses within an hour count as one, so that not every read writes. */
export const isSeenAgain = (table: string): string =>
  `${table}.last_used_at < now() - interval '1 hour'`;

/** Tokens and codes are kept only as hashes: their random bits need no salt. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
