import fc from 'fast-check';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import {
  holding,
  listHoldings,
  security,
  shownHoldings,
} from '../../support/fixtures/listed-holdings.js';
import { SEED } from '../../support/runner/seed.js';
import { openStorage, storeLink, type Storage } from '../../support/fixtures/stored-link.js';

const RUNS = process.env['LONG_RUNS'] === undefined ? 4 : 60;
const SYMBOLS = ['A', 'B', 'C', 'D'] as const;
const START = Date.parse('2026-03-02T10:00:00Z');

let storage: Storage;
let now = START;
beforeAll(async () => {
  storage = await openStorage(() => new Date(now));
});
afterAll(() => storage?.close());

/** One refresh, some days after the last one. */
const refresh = fc.record({
  days: fc.integer({ min: 0, max: 3 }),
  values: fc.dictionary(fc.constantFrom(...SYMBOLS), fc.integer({ min: 1, max: 3 })),
  /** The source could not read one of its rows. */
  isIncomplete: fc.boolean(),
  /** It gives all rows new ids. */
  reissues: fc.boolean(),
  isReversed: fc.boolean(),
});

it('The holdings of each day are those of the last list at its end, whatever the order and the ids of the lists', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(refresh, { minLength: 1, maxLength: 6 }), async (refreshes) => {
      now = START;
      const link = await storeLink(storage, { products: ['accounts', 'investments'] });
      const days = new Map<string, Record<string, number>>();
      let held: Record<string, number> = {};
      for (const [turn, { days: later, values, ...list }] of refreshes.entries()) {
        now += later * 86_400_000;
        held = list.isIncomplete ? { ...held, ...values } : values;
        days.set(utcDay(new Date(now)), held);
        const rows = Object.entries(values).map(([symbol, value]) =>
          holding(list.reissues ? `${symbol}-${turn}` : symbol, {
            security: security({ symbol }),
            value: `${value}`,
          }),
        );
        await listHoldings(storage, link, list.isReversed ? rows.toReversed() : rows, {
          incomplete: list.isIncomplete ? [UNREADABLE] : [],
        });
      }
      const ids = new Map<string, string>();
      let last: Record<string, number> = {};
      for (let day = addDays(utcDay(new Date(START)), -1); day <= utcDay(new Date(now));) {
        last = days.get(day) ?? last;
        const { holdings, securities } = await shownHoldings(storage, link, { on: day });
        const shown = holdings.map(({ holding_id: id, security_id: of, value }) => {
          const symbol = securities.get(of)?.symbol ?? '';
          // One position keeps one id.
          expect(ids.get(symbol) ?? id).toBe(id);
          ids.set(symbol, id);
          return [symbol, value] as const;
        });
        expect(Object.fromEntries(shown)).toEqual(last);
        expect(shown).toHaveLength(Object.keys(last).length);
        day = addDays(day, 1);
      }
      const current = await shownHoldings(storage, link);
      expect(current.holdings.map(({ value }) => value).sort()).toEqual(Object.values(held).sort());
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

const UNREADABLE = {
  providerAccountId: 'checking',
  name: null,
  reason: 'unreadable',
  resource: 'holding',
  field: 'shares',
  fault: 'wrong_type',
} as const;
