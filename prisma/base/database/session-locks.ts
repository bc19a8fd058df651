import type pg from 'pg';
import { runUnowned } from './work-origin.js';

/** Releases a lock; never throws. */
export type Unlock = () => Promise<void>;

/**
 * Locks that last as long as one connection of this process: when the process dies, PostgreSQL
 * releases them. They use a dedicated connection, because their holders still need the pool.
 */
export class SessionLocks {
  private client: pg.PoolClient | undefined;
  private connecting: Promise<pg.PoolClient> | undefined;
  /** PostgreSQL would grant the same session a lock that it already holds. */
  private readonly held = new Set<bigint>();
  private closed = false;

  constructor(private readonly pool: pg.Pool) {}

  /** Takes the lock, or returns null immediately when it is held. */
  async tryLock(key: bigint): Promise<Unlock | null> {
    if (this.held.has(key)) return null;
    this.held.add(key);
    try {
      const client = await this.connection();
      const { rows } = await client.query<{ locked: boolean }>(
        'SELECT pg_try_advisory_lock($1) AS locked',
        [key],
      );
      if (rows[0]?.locked === true) return () => this.unlock(key, client);
      this.held.delete(key);
      return null;
    } catch (error) {
      this.held.delete(key);
      throw error;
    }
  }

  close(): void {
    this.closed = true;
    if (this.client !== undefined) this.drop(this.client);
  }

  private async unlock(key: bigint, client: pg.PoolClient): Promise<void> {
    try {
      if (this.client === client) await client.query('SELECT pg_advisory_unlock($1)', [key]);
    } catch {
      // A lock that cannot be released ends with its connection.
      this.drop(client);
    } finally {
      this.held.delete(key);
    }
  }

  private async connection(): Promise<pg.PoolClient> {
    if (this.client !== undefined) return this.client;
    this.connecting ??= this.connect().finally(() => {
      this.connecting = undefined;
    });
    return this.connecting;
  }

  private async connect(): Promise<pg.PoolClient> {
    const client = await runUnowned(() => this.pool.connect());
    client.once('error', () => this.drop(client));
    client.once('end', () => this.drop(client));
    this.client = client;
    if (this.closed) this.drop(client);
    return client;
  }

  /**
   * Closes the connection instead of releasing it to the pool, so that no other user inherits a
   * lock.
   */
  private drop(client: pg.PoolClient): void {
    if (this.client !== client) return;
    this.client = undefined;
    client.release(true);
  }
}
