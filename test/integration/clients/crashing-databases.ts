import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Pool, PoolClient } from 'pg';

/** The end of a process. */
export class Crash extends Error {}

/** Counts the steps of a process, and ends it at one of them: after that, none has an effect. */
export class Process {
  constructor(private stepsLeft: number) {}

  /** @throws Crash when it has ended */
  step(): void {
    if (this.stepsLeft <= 0) throw new Crash();
    this.stepsLeft -= 1;
  }

  /** A step before an effect, and one after it. */
  around<T>(effect: () => T): T {
    this.step();
    const result = effect();
    this.step();
    return result;
  }

  async aroundAsync<T>(effect: () => Promise<T>): Promise<T> {
    this.step();
    const result = await effect();
    this.step();
    return result;
  }
}

/** An SQLite database as a process uses it. */
export const sqliteIn = (
  process: Process,
  database: DatabaseSync,
): Pick<DatabaseSync, 'exec' | 'prepare' | 'isTransaction'> => ({
  get isTransaction() {
    return database.isTransaction;
  },
  exec: (sql) => process.around(() => database.exec(sql)),
  prepare: (sql) => {
    const statement = database.prepare(sql);
    return {
      run: (...values: never[]) => process.around(() => statement.run(...values)),
      get: (...values: never[]) => process.around(() => statement.get(...values)),
    } as unknown as StatementSync;
  },
});

/** A pool of PostgreSQL as a process uses it. */
export const poolIn = (process: Process, pool: Pool): Pick<Pool, 'query' | 'connect'> =>
  ({
    query: (sql: string, values?: unknown[]) => process.aroundAsync(() => pool.query(sql, values)),
    connect: async () => {
      const client = await pool.connect();
      return {
        query: (sql: string, values?: unknown[]) =>
          process.aroundAsync(() => client.query(sql, values)),
        release: (error?: Error) => client.release(error),
      } as unknown as PoolClient;
    },
  }) as unknown as Pool;
