import { Decimal } from 'decimal.js';
import { boundedHoldings } from '../../../activities/refresh/bounded-holdings.js';
import { SourceFaults } from '../../../activities/source-faults.js';
import type { FetchedHolding } from '../../../domain/investments/fetched-holding.js';
import { holding, investments } from '../../support/fixtures/listed-holdings.js';

const LOT = {
  providerLotId: null,
  acquiredOn: null,
  quantity: new Decimal(1),
  pricePaid: null,
  costBasis: null,
  value: null,
};

function bounded(holdings: readonly FetchedHolding[]) {
  const faults = new SourceFaults();
  const accounts = ['checking', 'card'];
  const stored = boundedHoldings(investments(holdings, accounts, null), faults.note);
  return { ...stored, incomplete: faults.incomplete() };
}

const many = (count: number, providerAccountId: string) =>
  Array.from({ length: count }, (_, index) => holding(`${index}`, { providerAccountId }));

describe('Holdings of a fetch, whatever the adapter', () => {
  it('are stored up to 5,000 of each account, without which that account is incomplete', () => {
    const full = bounded([...many(5_000, 'checking'), ...many(5_000, 'card')]);
    expect([full.holdings.length, full.incomplete]).toEqual([10_000, []]);
    const more = bounded([...many(5_002, 'checking'), ...many(3, 'card')]);
    expect(more.holdings).toEqual([...many(5_000, 'checking'), ...many(3, 'card')]);
    expect(more.incomplete).toMatchObject([{ providerAccountId: 'checking', fault: 'too_long' }]);
  });

  it('are stored with up to 100 lots each, without which their account is incomplete', () => {
    const withLots = (count: number) =>
      holding('a', { lots: Array.from({ length: count }, () => LOT) });
    expect(bounded([withLots(100)]).incomplete).toEqual([]);
    const more = bounded([withLots(101), holding('b', { providerAccountId: 'card' })]);
    expect(more.holdings.map(({ lots }) => lots.length)).toEqual([100, 0]);
    expect(more.incomplete).toMatchObject([
      { providerAccountId: 'checking', fault: 'too_long', field: 'lots' },
    ]);
  });
});
