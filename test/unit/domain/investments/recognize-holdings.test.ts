import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { distinctHoldings } from '../../../../domain/investments/distinct-holdings.js';
import type { FetchedHolding } from '../../../../domain/investments/fetched-holding.js';
import {
  type KnownHolding,
  recognizeHoldings,
} from '../../../../domain/investments/recognize-holdings.js';
import { holdingOf, securityOf } from './support/holdings.js';

// cspell:ignore vxus

interface Row {
  id?: string;
  security?: string;
  name?: string;
  quantity?: string;
  cost?: string;
  acquiredOn?: string;
  source?: string;
  subAccount?: string;
}

const storedOf = (row: Row, place: number): KnownHolding => ({
  holdingId: `h${place}`,
  providerHoldingId: row.id ?? null,
  securityId: row.security ?? null,
  name: row.name ?? null,
  acquiredOn: row.acquiredOn ?? null,
  contributionSource: row.source ?? null,
  subAccount: row.subAccount ?? null,
  quantity: new Decimal(row.quantity ?? '10'),
  costReported: row.cost ?? null,
  place,
});
const fetchedOf = (row: Row): FetchedHolding =>
  holdingOf(
    { quantity: row.quantity ?? '10', ...(row.cost === undefined ? {} : { cost: row.cost }) },
    {
      providerHoldingId: row.id ?? null,
      security: securityOf({ name: row.name ?? null }),
      acquiredOn: row.acquiredOn ?? null,
      contributionSource: row.source ?? null,
      subAccount: row.subAccount ?? null,
    },
  );

/** Known holdings have the ids `h0`, `h1`, … */
const recognize = (known: readonly Row[], fetched: readonly Row[]) =>
  recognizeHoldings(
    known.map(storedOf),
    fetched.map(fetchedOf),
    fetched.map(({ security }) => security ?? null),
  );

const LOTS: Row[] = [
  { id: 'a', security: 'vti', quantity: '10', cost: '900.00', acquiredOn: '2020-01-02' },
  { id: 'b', security: 'vti', quantity: '10', cost: '950.00', acquiredOn: '2021-01-02' },
  { id: 'c', security: 'vti', quantity: '7.5', cost: '800.00' },
  { id: 'd', security: 'vti', quantity: '7.5', cost: '810.00' },
  { id: 'e', security: 'vxus', quantity: '10', cost: '900.00' },
  { id: 'f', name: 'Stable Value Fund', quantity: '10', source: 'employee' },
  { id: 'g', name: 'Stable Value Fund', quantity: '10', source: 'employer_match' },
];

describe('A holding', () => {
  it.each<[name: string, known: Row[], fetched: Row[], found: (string | null)[]]>([
    [
      'by its id, whatever changes',
      [{ id: 'a', security: 'vti', quantity: '10', cost: '900.00' }],
      [{ id: 'a', security: 'vti', quantity: '12', cost: '1100.00', acquiredOn: '2026-01-02' }],
      ['h0'],
    ],
    [
      'by its security where its id names another holding today',
      [
        { id: '1', security: 'vti' },
        { id: '2', security: 'vxus' },
      ],
      [
        { id: '1', security: 'vxus' },
        { id: '2', security: 'vti' },
      ],
      ['h1', 'h0'],
    ],
    [
      'by the day of its lot where its id names another lot today',
      [
        { id: '1', security: 'vti', acquiredOn: '2020-01-02' },
        { id: '2', security: 'vti', acquiredOn: '2021-01-02' },
      ],
      [
        { id: '1', security: 'vti', acquiredOn: '2021-01-02', quantity: '3' },
        { id: '2', security: 'vti', acquiredOn: '2020-01-02', quantity: '4' },
      ],
      ['h1', 'h0'],
    ],
    [
      'by its quantity among lots of one day',
      [
        { security: 'vti', quantity: '10' },
        { security: 'vti', quantity: '20' },
        { security: 'vti', quantity: '30' },
      ],
      [
        { security: 'vti', quantity: '30' },
        { security: 'vti', quantity: '10' },
      ],
      ['h2', 'h0'],
    ],
    [
      'by its basis among lots of one quantity',
      [
        { security: 'vti', cost: '900.00' },
        { security: 'vti', cost: '950.00' },
      ],
      [
        { security: 'vti', cost: '950.00' },
        { security: 'vti', cost: '900.00' },
      ],
      ['h1', 'h0'],
    ],
    [
      'by its basis among lots of which another quantity changed',
      [
        { security: 'vti', cost: '900.00', quantity: '1' },
        { security: 'vti', cost: '950.00', quantity: '2' },
      ],
      [
        { security: 'vti', cost: '950.00', quantity: '4' },
        { security: 'vti', cost: '900.00', quantity: '2.5' },
      ],
      ['h1', 'h0'],
    ],
    [
      'by the order of its lots otherwise',
      [
        { security: 'vti', cost: '1.00', quantity: '1' },
        { security: 'vti', cost: '2.00', quantity: '2' },
      ],
      [
        { security: 'vti', cost: '3.00', quantity: '3' },
        { security: 'vti', cost: '4.00', quantity: '4' },
      ],
      ['h0', 'h1'],
    ],
    [
      'when its source begins to state the day of its lot',
      [{ security: 'vti', quantity: '10' }],
      [{ security: 'vti', quantity: '10', acquiredOn: '2020-01-02' }],
      ['h0'],
    ],
    [
      'without identifier by its name when only its price moved',
      [{ name: 'Stable Value Fund', quantity: '10' }],
      [{ name: 'Stable Value Fund', quantity: '10' }],
      ['h0'],
    ],
    [
      'without identifier by its name when its quantity grew',
      [
        { name: 'Stable Value Fund', quantity: '10' },
        { name: 'Target 2050', quantity: '12' },
      ],
      [
        { name: 'Target 2050', quantity: '12.4' },
        { name: 'Stable Value Fund', quantity: '12' },
      ],
      ['h1', 'h0'],
    ],
    [
      'without identifier by its id when it was renamed',
      [{ id: 'a', name: 'Stable Value Fund' }],
      [{ id: 'a', name: 'Capital Preservation Fund' }],
      ['h0'],
    ],
    [
      'by its id when its source begins to identify its security',
      [{ id: 'a', name: 'Stable Value Fund' }],
      [{ id: 'a', name: 'Stable Value Fund', security: 'svf' }],
      ['h0'],
    ],
  ])('is found %s', (_name, known, fetched, found) => {
    expect(recognize(known, fetched)).toEqual(found);
  });

  it.each<[name: string, known: Row, fetched: Row]>([
    [
      'of another security, even under a known id',
      { id: 'a', security: 'vti' },
      { id: 'a', security: 'vxus' },
    ],
    [
      'of another day',
      { security: 'vti', acquiredOn: '2020-01-02' },
      { security: 'vti', acquiredOn: '2021-01-02' },
    ],
    [
      'of another source of contributions',
      { name: 'Fund', source: 'employee' },
      { name: 'Fund', source: 'employer_match' },
    ],
    [
      'of another part of the account',
      { security: 'vti', subAccount: 'cash' },
      { security: 'vti', subAccount: 'margin' },
    ],
    ['that is short', { security: 'vti', quantity: '10' }, { security: 'vti', quantity: '-10' }],
    ['without identifier under another name', { name: 'Fund A' }, { name: 'Fund B' }],
  ])('is new %s', (_name, known, fetched) => {
    expect(recognize([known], [fetched])).toEqual([null]);
  });

  it('keeps its id when the source reissues all ids, in any order', () => {
    const lots = LOTS.map((lot, place) => ({ ...lot, holdingId: `h${place}` }));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(lots, { minLength: lots.length }),
        fc.constantFrom('new', 'none'),
        (shuffled, ids) => {
          const reissued = shuffled.map(({ holdingId: _id, id, ...lot }) =>
            ids === 'none' ? lot : { ...lot, id: `new ${id}` },
          );
          expect(recognize(LOTS, reissued)).toEqual(shuffled.map(({ holdingId }) => holdingId));
        },
      ),
    );
  });

  it('is found at most once', () => {
    const row = fc.record(
      {
        id: fc.constantFrom('a', 'b'),
        security: fc.constantFrom('vti', 'vxus'),
        quantity: fc.constantFrom('1', '2', '-1'),
        acquiredOn: fc.constantFrom('2020-01-02', '2021-01-02'),
      },
      { requiredKeys: [] },
    );
    const rows = fc.array(row as fc.Arbitrary<Row>, { maxLength: 6 });
    fc.assert(
      fc.property(rows, rows, (known, fetched) => {
        const found = recognize(known, fetched).filter((id) => id !== null);
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });
});

describe('Holdings of a list', () => {
  const idsOf = (rows: readonly Row[]) =>
    distinctHoldings(rows.map(fetchedOf)).map(({ providerHoldingId }) => providerHoldingId);
  const own = expect.stringMatching(/^a\/content:[\w-]{43}$/);

  it('with the same id and content are one', () => {
    expect(idsOf([{ id: 'a' }, { id: 'b' }, { id: 'a' }])).toEqual(['a', 'b']);
  });

  it('with the same id and other content are two, each with an id of its own', () => {
    const [one, other, ...more] = idsOf([{ id: 'a' }, { id: 'a', quantity: '11' }]);
    expect([one, other, more]).toEqual([own, own, []]);
    expect(one).not.toBe(other);
    expect(idsOf([{ id: 'a', quantity: '11' }, { id: 'a' }])).toEqual([other, one]);
  });

  it('without ids are all kept, however alike', () => {
    expect(idsOf([{ security: 'vti' }, { security: 'vti' }])).toEqual([null, null]);
  });

  it('of two accounts may have the same id', () => {
    const rows = ['ira', 'brokerage'].map((providerAccountId) => ({
      ...fetchedOf({ id: 'a' }),
      providerAccountId,
    }));
    expect(distinctHoldings(rows)).toEqual(rows);
  });
});
