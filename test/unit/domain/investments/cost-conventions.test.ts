import { Decimal } from 'decimal.js';
import type { CostConvention, EarlierCost } from '../../../../domain/investments/cost-basis.js';
import { costsOf, resolve } from './support/costs.js';
import type { SentHolding } from './support/holdings.js';

const TOTALS: SentHolding[] = [
  { quantity: '84.317', cost: '6120.44', value: '6544.01' },
  { quantity: '250', cost: '4120.00', paid: '16.48', value: '5310' },
];
const PER_UNIT: SentHolding[] = [
  { quantity: '250', cost: '16.48', paid: '16.48', value: '5310' },
  { quantity: '90', cost: '31.10', paid: '31.10', value: '2900' },
];

describe('The other holdings of an account', () => {
  const UNCLEAR = { quantity: '120', cost: '2040.00', value: '51300' };
  const UNCLEAR_UNIT = { quantity: '120', cost: '20.40', value: '51300' };

  it('show that a basis is a total if two of them are', () => {
    expect(costsOf([UNCLEAR, ...TOTALS])[0]).toBe('2040 reported_total siblings');
    expect(costsOf([...TOTALS, UNCLEAR])[2]).toBe('2040 reported_total siblings');
  });

  it('show that a basis is per unit if two of them are', () => {
    expect(costsOf([UNCLEAR_UNIT, ...PER_UNIT])[0]).toBe('2448 reported_per_unit siblings');
  });

  it('show nothing if there is one of them, or they differ', () => {
    expect(costsOf([UNCLEAR, ...TOTALS.slice(0, 1)])[0]).toBe('unknown');
    expect(costsOf([UNCLEAR, ...TOTALS, ...PER_UNIT])[0]).toBe('unknown');
  });

  it('show nothing if they were decided by other holdings themselves', () => {
    const decided = { quantity: '120', cost: '2040.00', value: '51300' };
    const bySiblings: EarlierCost = {
      reported: '2040.00',
      costBasis: new Decimal(2040),
      source: 'reported_total',
      evidence: 'siblings',
    };
    const fresh = { ...UNCLEAR, cost: '2041.00' };
    const costs = costsOf([fresh, decided, decided], { earlier: [null, bySiblings, bySiblings] });
    expect(costs).toEqual([
      'unknown',
      '2040 reported_total siblings',
      '2040 reported_total siblings',
    ]);
  });

  it('show nothing if their quantities are near one', () => {
    const nearOne = { quantity: '1.5', cost: '150.00', paid: '100.00', value: '160' };
    expect(costsOf([UNCLEAR, nearOne, nearOne])[0]).toBe('unknown');
  });

  it('show nothing about a basis that contradicts its own price paid', () => {
    const contradiction = { quantity: '500', cost: '7300.00', paid: '21.10', value: '9900' };
    expect(costsOf([contradiction, ...TOTALS])[0]).toBe('unknown');
  });

  it('show that a worthless position was bought per unit', () => {
    const worthless = { quantity: '250', cost: '16.48', paid: '16.48', value: '20' };
    expect(costsOf([worthless, ...PER_UNIT])[0]).toBe('4120 reported_per_unit siblings');
  });
});

describe('The convention of an account', () => {
  const conventionOf = (sent: readonly SentHolding[], convention: CostConvention | null = null) =>
    resolve(sent, convention === null ? {} : { convention }).convention;
  const bothFields = { quantity: '10', cost: '1000.00', paid: '1000.00', value: '1050' };

  it.each<[name: string, sent: SentHolding[], before: CostConvention | null, after: string | null]>(
    [
      ['is a total by a price paid', TOTALS.slice(1), null, 'total'],
      ['is per unit by a price paid', PER_UNIT, null, 'per_unit'],
      ['is not set by a market value', TOTALS.slice(0, 1), null, null],
      ['stays without new proof', TOTALS.slice(0, 1), 'per_unit', 'per_unit'],
      ['changes with new proof', TOTALS.slice(1), 'per_unit', 'total'],
      ['is dropped when both are proved', [...TOTALS, ...PER_UNIT], 'total', null],
      [
        'is not set by a single unit',
        [{ quantity: '1', cost: '310.25', paid: '310.25', value: '298' }],
        null,
        null,
      ],
      ['is not set by a total that is sent as the price paid, too', [bothFields], null, null],
      [
        'is not per unit by a value that may be that of a total',
        [{ quantity: '25', cost: '10.00', paid: '10.00', value: '250' }],
        null,
        null,
      ],
      [
        'is not per unit by a price paid that no value confirms',
        [{ quantity: '250', cost: '16.48', paid: '16.48' }],
        null,
        null,
      ],
    ],
  )('%s', (_name, sent, before, after) => {
    expect(conventionOf(sent, before)).toBe(after);
  });

  it('does not decide in the fetch that disproves it', () => {
    const unclear = { quantity: '120', cost: '2040.00', value: '51300' };
    expect(costsOf([unclear, ...PER_UNIT.slice(0, 1)], { convention: 'total' })[0]).toBe('unknown');
  });
});
