import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { postgresqlStore, SCHEMA } from '../../../examples/sync-stores-node/postgresql-store.mjs';
import { sqliteStore } from '../../../examples/sync-stores-node/sqlite-store.mjs';
import { memoryStore, type SyncStore, type Transaction } from '../../../clients/node/src/index.js';
import { syncInto } from '../../../clients/node/src/sync/sync-into.js';
import { SEED } from '../../support/runner/seed.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/embedded-services.js';
import { ChangingService } from './changing-service.js';
import { Crash, poolIn, Process, sqliteIn } from './crashing-databases.js';
import { openPool } from '../../support/services/postgres.mjs';

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
