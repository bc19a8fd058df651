import pg from 'pg';
import type { ConnectionGuard } from './connection-guard.js';
import { explainConnection } from './explain-connection.js';

type Connected = Parameters<pg.Pool['connect']>[0];

export interface GuardedPoolOptions extends pg.PoolConfig {
  guard: ConnectionGuard;
  /** The mode in DATABASE_URL, for explanations. */
  sslmode: string | null;
}

/**
 * A pool whose connections pass a guard when they open, and which lends none while the guard
 * refuses them.
 */
export class GuardedPool extends pg.Pool {
  private readonly guard: ConnectionGuard;
  private readonly sslmode: string | null;

  constructor({ guard, sslmode, ...options }: GuardedPoolOptions) {
    // The pool waits for the promise, although its type does not declare that.
    super({ ...options, onConnect: (client) => guard.admit(client) as unknown as undefined });
    this.guard = guard;
    this.sslmode = sslmode;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const { refusal } = this.guard;
    if (callback === undefined) {
      if (refusal !== null) return Promise.reject(refusal);
      return super.connect().catch(this.rethrow);
    }
    if (refusal !== null)
      return process.nextTick(() => callback(refusal, undefined, () => undefined));
    super.connect((error, client, done) =>
      callback(error && explainConnection(error, this.sslmode), client, done),
    );
  }

  /**
   * Checks the database again, even while the guard refuses connections. @throws the guard's errors
   */
  async examine(): Promise<void> {
    const client = await super.connect().catch(this.rethrow);
    let refused = true;
    try {
      await this.guard.admit(client);
      refused = false;
    } finally {
      client.release(refused);
    }
  }

  private readonly rethrow = (error: unknown): never => {
    throw error instanceof Error ? explainConnection(error, this.sslmode) : error;
  };
}
