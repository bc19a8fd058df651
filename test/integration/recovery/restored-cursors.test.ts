import fc from 'fast-check';
import {
  openStorage,
  storeLink,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { SimulatedBank } from '../transactions/simulated-bank.js';
import { seededRandom } from '../../support/runner/seeded-random.js';
import {
  backUp,
  NOTHING_HELD,
  readAll,
  readPage,
  refresh,
  restoreAndRecover,
  rowsAtRest,
  type Held,
} from './restored-link.js';

/** Each case creates about five databases. RESTORE_CASES makes the test run longer. */
const CASES = Number(process.env['RESTORE_CASES'] ?? (process.env['LONG_RUNS'] ? 10 : 2));

/** The events between two points in time: refreshes, and calls of apps with pages of some size. */
const period = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('refresh' as const), changes: fc.integer({ min: 1, max: 8 }) }),
    fc.record({
      kind: fc.constant('read' as const),
      /** Of the cursors that apps hold: any app, and any cursor it ever had. */
      from: fc.nat(),
      size: fc.constantFrom(1, 3, 7, 500),
    }),
  ),
  { maxLength: 8 },
);
type Period = typeof period extends fc.Arbitrary<infer T> ? T : never;

const REFRESH: Period[number] = { kind: 'refresh', changes: 3 };
const READ_ALL: Period[number] = { kind: 'read', from: 0, size: 500 };

describe('Cursors after a restore', () => {
  async function live(
    storage: Storage,
    link: StoredLink,
    bank: SimulatedBank,
    { steps, held }: { steps: Period; held: Held[] },
  ): Promise<void> {
    for (const step of steps) {
      if (step.kind === 'refresh') await refresh(storage, link, bank, step.changes);
      else {
        const from = held[step.from % held.length] ?? NOTHING_HELD;
        const next = await readPage(storage, link, from, step.size);
        if (next !== null) held.push(next);
      }
    }
  }

  it('return all new data to an app, or are refused, whenever backups were taken and restored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        period,
        // Each is lost when the same backup is restored again.
        fc.array(period, { minLength: 1, maxLength: 2 }),
        period,
        async (seed, before, lost, after) => {
          const bank = new SimulatedBank(seededRandom(seed), 'checking');
          const open: Storage[] = [await openStorage()];
          const current = (): Storage => open.at(-1) as Storage;
          const link = await storeLink(current());
          await refresh(current(), link, bank, 5);
          const held: Held[] = [NOTHING_HELD];
          await live(current(), link, bank, { steps: before, held });
          const inBackup = held.length;
          const backup = await backUp(current());
          try {
            for (const steps of lost) {
              // The data that the apps hold at the end was read and stored at once.
              await live(current(), link, bank, { steps: [...steps, READ_ALL], held });
              await live(current(), link, bank, { steps: [REFRESH, READ_ALL], held });
              open.push(await restoreAndRecover(backup));
            }
            await live(current(), link, bank, { steps: [REFRESH, ...after], held });
            const rows = await rowsAtRest(current(), link);
            for (const [index, app] of held.entries()) {
              const read = await readAll(current(), link, app);
              if (index < inBackup) expect(read).not.toBeNull();
              if (read !== null) expect(read.rows).toEqual(rows);
            }
          } finally {
            for (const storage of open) await storage.close();
            await backup.drop();
          }
        },
      ),
      { numRuns: CASES, endOnFailure: true },
    );
  }, 600_000);
});
