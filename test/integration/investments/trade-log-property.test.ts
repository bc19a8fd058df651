import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { FetchedInvestmentTransaction } from '../../../domain/investments/fetched-investment-transaction.js';
import { TradeReader } from '../../../prisma/links/investments/trade-reader.js';
import { SEED } from '../../support/runner/seed.js';
import { seededRandom } from '../../support/runner/seeded-random.js';
import { EVERY_DAY, storageOfFile, storage } from '../../support/fixtures/stored-link.js';
import { SyncReader } from '../transactions/sync-reader.js';
import {
  fetchTrades,
  shownTrades,
  storeInvestmentLink,
  trade,
  unreadable,
} from './support/fetched-trades.js';

storageOfFile();

/** Texts that no two trades share, so that none is another one under a new id. */
const TEXTS = ['Amber', 'Birch', 'Cedar', 'Delta', 'Ember', 'Fjord'];
const MARCH = { from: '2026-03-01', to: '2026-03-31' };

/** A list of a source: the state of each trade that it lists, and the days and accounts that it covers. */
const listing = fc.record({
  rows: fc.uniqueArray(
    fc.record({
      index: fc.nat({ max: TEXTS.length - 1 }),
      state: fc.constantFrom('pending', 'posted', 'corrected'),
    }),
    { selector: ({ index }) => index },
  ),
  window: fc.constantFrom(EVERY_DAY, MARCH, null),
  incomplete: fc.constantFrom(null, 'checking', 'card'),
});
type Row = { index: number; state: string };

const idOf = (index: number) => `trade ${index}`;
const accountOf = (index: number) => (index % 3 === 0 ? 'card' : 'checking');
const dateOf = (index: number) => (index % 2 === 0 ? '2026-03-10' : '2026-04-10');

function fetchedOf({ index, state }: Row): FetchedInvestmentTransaction {
  return trade(idOf(index), {
    providerAccountId: accountOf(index),
    date: dateOf(index),
    description: TEXTS[index] ?? '',
    amount: new Decimal(-1000 * (index + 1)),
    pending: state === 'pending',
    fees: state === 'corrected' ? new Decimal(1) : null,
  });
}

/** The log as the contract describes it: index → state and public id. */
class Model {
  readonly current = new Map<number, { state: string; id: string | null }>();

  /** Returns the number of new versions. */
  apply({ rows, window, incomplete }: { rows: readonly Row[] } & Covered): number {
    let versions = 0;
    for (const { index, state } of rows) {
      const before = this.current.get(index);
      if (before?.state === state) continue;
      this.current.set(index, { state, id: before?.id ?? null });
      versions += 1;
    }
    const listed = new Set(rows.map(({ index }) => index));
    for (const index of this.current.keys()) {
      const isCovered =
        window !== null && window.from <= dateOf(index) && dateOf(index) <= window.to;
      if (listed.has(index) || !isCovered || accountOf(index) === incomplete) continue;
      this.current.delete(index);
      versions += 1;
    }
    return versions;
  }
}
interface Covered {
  window: typeof MARCH | null;
  incomplete: string | null;
}

describe('The log of investment transactions, for any sequence of lists', () => {
  it(`shows what the lists say under ids that never change, and a reader gets the same (seed ${SEED})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(listing, { minLength: 1, maxLength: 8 }), async (lists) => {
        const link = await storeInvestmentLink(storage);
        const reader = new TradeReader(storage.ctx);
        const syncing = new SyncReader(reader, link.linkId, seededRandom(SEED));
        const model = new Model();
        const usedIds = new Set<string>();
        for (const { rows, window, incomplete } of lists) {
          const versions = await fetchTrades(storage, link, rows.map(fetchedOf), {
            window,
            incomplete: incomplete === null ? [] : [unreadable(incomplete)],
          });
          expect(versions).toBe(model.apply({ rows, window, incomplete }));
          const shown = await shownTrades(storage, link);
          expect(shown).toHaveLength(model.current.size);
          for (const each of shown) {
            const { investment_transaction_id: id, description, pending, fees } = each;
            const expected = model.current.get(TEXTS.indexOf(String(description)));
            const state = pending === true ? 'pending' : fees === 1 ? 'corrected' : 'posted';
            expect(state).toBe(expected?.state);
            // A new one has an id that no trade had before.
            if (expected?.id === null) expect(usedIds.has(id)).toBe(false);
            else expect(id).toBe(expected?.id);
            usedIds.add(id);
            if (expected !== undefined) expected.id = id;
          }
          await syncing.walkToEnd();
          expect(syncing.violations).toEqual([]);
          expect(new Set(syncing.replica.keys())).toEqual(
            new Set(shown.map((each) => each.investment_transaction_id)),
          );
          expect([...syncing.replica.values()].sort()).toEqual(
            shown.map((each) => JSON.stringify(each)).sort(),
          );
        }
      }),
      { seed: SEED, numRuns: process.env['LONG_RUNS'] ? 60 : 8 },
    );
  }, 240_000);
});
