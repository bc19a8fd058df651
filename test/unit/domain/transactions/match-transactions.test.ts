import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  MATCH_RULES,
  matchTransactions,
  type KnownRow,
  type MatchReasons,
  type UnknownRow,
} from '../../../../domain/transactions/match-transactions.js';
import { addDays } from '../../../../domain/api/timestamps.js';

const POSTS: MatchReasons = { postedIdsDiffer: true, otherSource: false };
const MOVED: MatchReasons = { postedIdsDiffer: false, otherSource: true };

type Fields = Partial<Omit<KnownRow & UnknownRow, 'amount'>> & { amount?: number };
const base = {
  accountId: 'acc_1',
  type: 'debit' as const,
  currency: 'USD',
  date: '2026-02-10',
  pending: false,
  texts: ['Corner Cafe'],
};
const known = (id: string, { amount = 4.5, ...over }: Fields = {}): KnownRow => ({
  id,
  ...base,
  imported: false,
  ...over,
  amount: new Decimal(amount),
});
const unknown = (id: string, { amount = 4.5, ...over }: Fields = {}): UnknownRow => ({
  id,
  ...base,
  replaces: null,
  ...over,
  amount: new Decimal(amount),
});
const isMatch = (ours: Fields, theirs: Fields, reasons: MatchReasons) =>
  matchTransactions([known('k', ours)], [unknown('u', theirs)], reasons).get('u') === 'k';

/** One line of the rules: a row of ours, a row of a fetch, and whether they match. */
type Line = [string, Fields, Fields, boolean];

describe('Matching a pending row that is posted under another id', () => {
  const hold = { pending: true };
  it.each<Line>([
    ['on the same day, for the same amount', hold, {}, true],
    ['days later', hold, { date: '2026-02-15' }, true],
    ['a week later', hold, { date: '2026-02-17' }, true],
    ['more than a week later', hold, { date: '2026-02-18' }, false],
    ['a day earlier, as in another time zone', hold, { date: '2026-02-09' }, true],
    ['before it began', hold, { date: '2026-02-08' }, false],
    [
      'with the words of the terminal',
      hold,
      { texts: [null, 'POS 0210 CORNER CAFE MILLBROOK OH #4711'] },
      true,
    ],
    ['without any text', hold, { texts: [null, null] }, true],
    ['with another text', hold, { texts: ['Fuel Station'] }, false],
    ['with a tip', hold, { amount: 5.25 }, true],
    ['for less than was held', { ...hold, amount: 100 }, { amount: 72 }, true],
    ['for much more', hold, { amount: 9 }, false],
    ['with a tip and without text', hold, { amount: 5.25, texts: [null] }, false],
    [
      'with a tip and half of its words',
      { ...hold, texts: ['Corner Cafe'] },
      { amount: 5.25, texts: ['Corner Grill'] },
      false,
    ],
    ['in the other direction', hold, { type: 'credit' }, false],
    ['in another currency', hold, { currency: 'EUR' }, false],
    ['in another account', hold, { accountId: 'acc_2' }, false],
    ['still pending', hold, { pending: true }, false],
  ])('decides %s', (_how, ours, theirs, expected) => {
    expect(isMatch(ours, theirs, POSTS)).toBe(expected);
  });

  it('never matches a posted row to another one', () => {
    expect(isMatch({}, {}, POSTS)).toBe(false);
  });

  it('trusts the id of the provider, whatever else differs', () => {
    const matched = matchTransactions(
      [known('hold', { pending: true }), known('nearer', { pending: true, amount: 80 })],
      [unknown('u', { amount: 80, date: '2026-03-20', texts: ['Another'], replaces: 'hold' })],
      POSTS,
    );
    expect(matched).toEqual(new Map([['u', 'hold']]));
    expect(
      matchTransactions(
        [known('hold', { accountId: 'acc_2' })],
        [unknown('u', { replaces: 'hold' })],
        POSTS,
      ).size,
    ).toBe(0);
  });
});

describe('Matching a row of a link that another provider serves now', () => {
  it.each<Line>([
    ['the same', {}, {}, true],
    ['three days apart', {}, { date: '2026-02-13' }, true],
    ['four days apart', {}, { date: '2026-02-14' }, false],
    ['another amount', {}, { amount: 4.51 }, false],
    ['no text to compare', { texts: [null] }, {}, false],
    ['another text', {}, { texts: ['Fuel Station'] }, false],
    ['pending in both', { pending: true }, { pending: true }, true],
    ['posted before, pending now', {}, { pending: true }, false],
    ['pending before, posted now', { pending: true }, {}, true],
  ])('decides %s', (_how, ours, theirs, expected) => {
    expect(isMatch(ours, theirs, MOVED)).toBe(expected);
  });
});

describe('Matching an imported row', () => {
  const row = { imported: true };
  it.each<Line>([
    ['the same', row, {}, true],
    ['three days apart', row, { date: '2026-02-07' }, true],
    ['four days apart', row, { date: '2026-02-06' }, false],
    ['pending at the bank', row, { pending: true }, true],
    ['without a text of its own', { ...row, texts: [null] }, {}, true],
    ['another text', row, { texts: ['Fuel Station'] }, false],
    ['another amount', row, { amount: 4.49 }, false],
    ['the other direction', row, { type: 'credit' }, false],
  ])('decides %s', (_how, ours, theirs, expected) => {
    expect(isMatch(ours, theirs, MOVED)).toBe(expected);
  });
});

describe('Matching several rows', () => {
  it('distinguishes equal rows by their day: a daily coffee stays a daily coffee', () => {
    const days = Array.from({ length: 10 }, (_, index) => addDays('2026-02-01', index));
    const matched = matchTransactions(
      days.map((date) => known(`k${date}`, { date, imported: true })),
      days.map((date) => unknown(`u${date}`, { date })),
      MOVED,
    );
    expect([...matched].every(([theirs, ours]) => theirs.slice(1) === ours.slice(1))).toBe(true);
    expect(matched.size).toBe(10);
  });

  it('assigns each of several equal rows its own match, and treats extra ones as new', () => {
    const twins = ['a', 'b', 'c'].map((id) => unknown(id));
    expect(
      matchTransactions(
        [known('x', { imported: true }), known('y', { imported: true })],
        twins,
        MOVED,
      ).size,
    ).toBe(2);
  });

  it('prefers the same amount to a nearer day', () => {
    const matched = matchTransactions(
      [known('hold', { pending: true, amount: 20 })],
      [unknown('tip', { amount: 22 }), unknown('same', { amount: 20, date: '2026-02-14' })],
      POSTS,
    );
    expect(matched).toEqual(new Map([['same', 'hold']]));
  });

  const rows = fc.array(
    fc.record({
      amount: fc.constantFrom(4.5, 4.6, 5, 20),
      day: fc.integer({ min: 0, max: 12 }),
      pending: fc.boolean(),
      imported: fc.boolean(),
      text: fc.constantFrom('Corner Cafe', 'CORNER CAFE 0210', 'Fuel Station', null),
      accountId: fc.constantFrom('acc_1', 'acc_2'),
    }),
    { maxLength: 14 },
  );
  const reasons = fc.record({ postedIdsDiffer: fc.boolean(), otherSource: fc.boolean() });
  type Row = {
    amount: number;
    day: number;
    pending: boolean;
    imported: boolean;
    text: string | null;
    accountId: string;
  };
  const ours = (list: Row[]) =>
    list.map(({ day, text, ...row }, place) =>
      known(`k${place}`, { ...row, date: addDays('2026-02-01', day), texts: [text] }),
    );
  const theirs = (list: Row[]) =>
    list.map(({ day, text, imported: _, ...row }, place) =>
      unknown(`u${place}`, { ...row, date: addDays('2026-02-01', day), texts: [text] }),
    );

  it('is one to one and stays within the account', () => {
    fc.assert(
      fc.property(rows, rows, reasons, (mine, fetched, why) => {
        const [have, come] = [ours(mine), theirs(fetched)];
        const matched = matchTransactions(have, come, why);
        expect(new Set(matched.values()).size).toBe(matched.size);
        for (const [theirId, ourId] of matched) {
          const [a, b] = [
            have.find(({ id }) => id === ourId),
            come.find(({ id }) => id === theirId),
          ];
          expect({ accountId: a?.accountId, type: a?.type, currency: a?.currency }).toEqual({
            accountId: b?.accountId,
            type: b?.type,
            currency: b?.currency,
          });
        }
      }),
    );
  });

  it('has the same result in any order of rows', () => {
    fc.assert(
      fc.property(
        rows,
        rows,
        reasons,
        fc.infiniteStream(fc.nat()),
        (mine, fetched, why, chance) => {
          const shuffled = <T>(list: readonly T[]): T[] =>
            list
              .map((row) => ({ row, at: chance.next().value as number }))
              .sort((a, b) => a.at - b.at)
              .map(({ row }) => row);
          const [have, come] = [ours(mine), theirs(fetched)];
          const sorted = (matched: Map<string, string>) =>
            [...matched].sort(([a], [b]) => (a < b ? -1 : 1));
          expect(sorted(matchTransactions(shuffled(have), shuffled(come), why))).toEqual(
            sorted(matchTransactions(have, come, why)),
          );
        },
      ),
    );
  });

  it('never matches without a rule', () => {
    fc.assert(
      fc.property(rows, rows, (mine, fetched) => {
        expect(
          matchTransactions(ours(mine), theirs(fetched), {
            postedIdsDiffer: false,
            otherSource: false,
          }).size,
        ).toBe(0);
      }),
    );
  });

  it('compares thousands of rows only with those of the same amount', () => {
    const many = Array.from({ length: 4_000 }, (_, index) => ({
      date: addDays('2025-01-01', index % 400),
      amount: index % 50,
      texts: [`Shop ${index % 7}`],
    }));
    let comparisons = 0;
    const ours = many.map((row, place) =>
      Object.defineProperty(known(`k${place}`, row), 'imported', {
        get: () => {
          comparisons += 1;
          return true;
        },
      }),
    );
    expect(
      matchTransactions(
        ours,
        many.map((row, place) => unknown(`u${place}`, row)),
        MOVED,
      ).size,
    ).toBe(4_000);
    // The rows of one amount within three days, of 80. All rows within three days would be fifty
    // times as many.
    expect(comparisons).toBeLessThan(4_000 * 20);
  });
});

it('The matching rules have names and are ordered from the most to the least certain', () => {
  expect(MATCH_RULES.map(({ name }) => name)).toEqual([
    'the provider says which pending row it was',
    'the same content',
    'imported',
    'the same row of another source',
    'posted for the same amount',
    'posted for another amount',
  ]);
});
