import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Pool, PoolClient } from 'pg';
import { postgresqlStore, SCHEMA } from '../../../examples/sync-stores-node/postgresql-store.mjs';
import { sqliteStore } from '../../../examples/sync-stores-node/sqlite-store.mjs';
import {
  memoryStore,
  type SyncStore,
  type Transaction,
  type CallOptions,
  type TransactionsSyncResult,
} from '../../../clients/node/src/index.js';
import { syncInto } from '../../../clients/node/src/sync/sync-into.js';
import { SEED } from '../../support/runner/seed.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/embedded-services.js';
import { openPool } from '../../support/services/postgres.mjs';
import { ValidationError } from '../../../clients/node/src/errors.js';

/** A version of a row; an amount of null says that it was removed. */
interface Version {
  seq: number;
  amount: number | null;
}

interface Cursor {
  epoch: number;
  since: number;
  /** The end of the walk; null between two walks. */
  pin: number | null;
}

/**
 * The changes of one link, as `GET /links/{id}/transactions/sync` returns them (native-api 3.6): a
 * walk is pinned to its first page, and a restored backup refuses the cursors of the time it lost.
 */
class ChangingService {
  private rows = new Map<string, Version>();
  private backup = new Map<string, Version>();
  private seq = 0;
  private epoch = 0;
  /** The cursors of the requests so far. */
  readonly requested: string[] = [];

  change(id: string, amount: number | null): void {
    if (amount === null && !this.rows.has(id)) return;
    this.rows.set(id, { seq: (this.seq += 1), amount });
  }

  keepBackup(): void {
    this.backup = new Map(this.rows);
  }

  /** The rows are those of the backup again, and no earlier cursor is accepted. */
  restore(): void {
    this.rows = new Map(this.backup);
    this.epoch += 1;
  }

  /** The current rows, by id. */
  current(): [string, number][] {
    return [...this.rows]
      .flatMap(([id, { amount }]) => (amount === null ? [] : [[id, amount] as [string, number]]))
      .sort();
  }

  sync(
    _linkId: string,
    { cursor: text, size }: { cursor: string; size: number },
    _options: CallOptions,
  ): Promise<TransactionsSyncResult> {
    this.requested.push(text);
    const cursor = this.read(text);
    if (cursor === null) return Promise.reject(refusedCursor());
    const pin = cursor.pin ?? this.seq;
    const waiting = [...this.rows]
      .filter(([, { seq, amount }]) => seq > cursor.since && (amount !== null || cursor.since > 0))
      .filter(([, { seq }]) => seq <= pin)
      .sort(([, a], [, b]) => a.seq - b.seq);
    const page = waiting.slice(0, size);
    const hasMore = waiting.length > size;
    const last = hasMore ? page.at(-1)?.[1].seq : undefined;
    const next: Cursor = { epoch: this.epoch, since: last ?? pin, pin: hasMore ? pin : null };
    const created = page.flatMap(([id, { amount }]) =>
      amount === null ? [] : [{ transaction_id: id, amount } as Transaction],
    );
    return Promise.resolve({
      transactions: {
        created,
        updated: [],
        removed: page.flatMap(([id, { amount }]) => (amount === null ? [id] : [])),
      },
      cursor: { next: JSON.stringify(next) },
      has_more: hasMore,
      accounts: [],
      link: {} as TransactionsSyncResult['link'],
    });
  }

  private read(text: string): Cursor | null {
    if (text === '') return { epoch: this.epoch, since: 0, pin: null };
    const cursor = JSON.parse(text) as Cursor;
    return cursor.epoch === this.epoch ? cursor : null;
  }
}

/** docs/sync.md, "A cursor that is refused" */
const refusedCursor = () =>
  new ValidationError({
    status: 422,
    code: 'api_error.request.validation_failed',
    message: 'The request is not valid.',
    requestId: undefined,
    documentationUrl: undefined,
    retryAfter: undefined,
    issues: [{ location: ['query', 'cursor'], message: 'Not a cursor.', type: 'invalid' }],
    linkErrorCode: undefined,
  });

/** The end of a process. */
class Crash extends Error {}

/** Counts the steps of a process, and ends it at one of them: after that, none has an effect. */
class Process {
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
const sqliteIn = (
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
const poolIn = (process: Process, pool: Pool): Pick<Pool, 'query' | 'connect'> =>
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

const LINK = 'mk_of_the_copy';
/** Long runs search further. */
const RUNS = process.env['LONG_RUNS'] ? 400 : 20;
const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The place of a copy. */
interface Place {
  /** The store of a new process. */
  open(process: Process): SyncStore | Promise<SyncStore>;
  rows(): Promise<[string, number][]>;
  /** The result of an ended process. */
  end(): void | Promise<void>;
}

type Event =
  | { kind: 'change'; id: string; amount: number | null }
  | { kind: 'backup' }
  | { kind: 'restore' }
  | { kind: 'walk'; size: number; endsAtStep: number };

const EVENT: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      id: fc.constantFrom(...ROWS),
      amount: fc.option(fc.integer({ min: 1, max: 9 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('walk' as const),
      size: fc.integer({ min: 1, max: 4 }),
      endsAtStep: fc.integer({ min: 0, max: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'backup' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restore' as const }) },
);

/** A walk in a process that may end at any step. @returns whether it ended before the walk did */
async function walk(service: ChangingService, place: Place, size: number, steps: number) {
  const process = new Process(steps);
  const source = {
    sync: (...args: Parameters<ChangingService['sync']>) =>
      process.aroundAsync(() => service.sync(...args)),
  };
  try {
    await syncInto(source, LINK, await place.open(process), { size });
    return false;
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return true;
  } finally {
    await place.end();
  }
}

/**
 * Plays the events. Then two walks that nothing ends must bring the copy up to date: the first may
 * continue one that a crash interrupted, and shows no later change than that one.
 */
async function play(events: readonly Event[], place: Place): Promise<void> {
  const service = new ChangingService();
  for (const event of events) {
    if (event.kind === 'change') service.change(event.id, event.amount);
    else if (event.kind === 'backup') service.keepBackup();
    else if (event.kind === 'restore') service.restore();
    else {
      const start = service.requested.length;
      const ended = await walk(service, place, event.size, event.endsAtStep);
      if (!ended) continue;
      // Nothing changed meanwhile: the next process requests at most one page again.
      const middle = service.requested.length;
      await walk(service, place, event.size, event.endsAtStep + 1);
      const first = service.requested.slice(start, middle);
      const second = service.requested.slice(middle);
      expect(second.filter((cursor) => first.includes(cursor)).length).toBeLessThanOrEqual(
        // A refused cursor and the first page of the new walk are one repetition.
        first.length > 0 && second[1] === '' ? 2 : 1,
      );
    }
  }
  await walk(service, place, 3, Infinity);
  await walk(service, place, 3, Infinity);
  expect(await place.rows()).toEqual(service.current());
}

const property = (place: () => Promise<Place>) =>
  fc.assert(
    fc.asyncProperty(fc.array(EVENT, { minLength: 5, maxLength: 40 }), async (events) =>
      play(events, await place()),
    ),
    { seed: SEED, numRuns: RUNS },
  );

const pairsOf = (rows: Transaction[]): [string, number][] =>
  rows.map(({ transaction_id: id, amount }) => [id, amount] as [string, number]).sort();

describe('syncInto, whose process may end at any step and whose service may be restored', () => {
  it('keeps an exact copy in SQLite, and repeats at most one page after a crash', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-copies-'));
    let count = 0;
    try {
      await property(async () => {
        const file = join(folder, `${(count += 1)}.db`);
        let database = new DatabaseSync(file);
        return Promise.resolve({
          open: (process) => {
            database.exec('PRAGMA synchronous = OFF');
            return sqliteStore(sqliteIn(process, database));
          },
          rows: async () =>
            Promise.resolve(
              pairsOf(
                database
                  .prepare('SELECT data FROM transactions')
                  .all()
                  .map(({ data }) => JSON.parse(String(data)) as Transaction),
              ),
            ),
          end: () => {
            // As the end of a process does, it forgets a transaction that was not committed.
            database.close();
            database = new DatabaseSync(file);
          },
        } satisfies Place);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('keeps an exact copy in memory', async () => {
    await property(async () => {
      const store = memoryStore();
      return Promise.resolve({
        open: () => store,
        rows: () => Promise.resolve(pairsOf(store.transactions(LINK))),
        end: () => undefined,
      } satisfies Place);
    });
  });

  describe('with PostgreSQL', () => {
    let database: TestDatabase;
    let pool: Pool;
    beforeAll(async () => {
      database = await createTestDatabase();
      // Beside the tables of the service, which the database has.
      pool = openPool({ connectionString: database.url, options: '-c search_path=copies' });
      await pool.query(`CREATE SCHEMA copies; ${SCHEMA}`);
    });
    afterAll(async () => {
      await pool?.end();
      await database?.drop();
    });

    it('keeps an exact copy, and repeats at most one page after a crash', async () => {
      await property(async () => {
        await pool.query('TRUNCATE sync_positions, transactions, replacement_transactions');
        return {
          open: (process) => postgresqlStore(poolIn(process, pool)),
          rows: async () =>
            pairsOf(
              (await pool.query('SELECT data FROM transactions')).rows.map(({ data }) => data),
            ),
          end: () => undefined,
        } satisfies Place;
      });
    });
  });
});
