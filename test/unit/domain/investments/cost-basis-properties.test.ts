import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { resolveHoldings } from '../../../../domain/investments/resolve-holdings.js';
import { holdingOf, type SentHolding } from './support/holdings.js';

const Exact = Decimal.clone({ precision: 100 });
const resolve = (sent: SentHolding) =>
  resolveHoldings([holdingOf(sent)], { convention: null, earlier: [] }).holdings[0];

/** Figures of cents and thousandths, from a fraction to thousands, so that all steps occur. */
const digits = fc.integer({ min: 1, max: 2_000_000 });
const quantity = digits.map((thousandths) => new Exact(thousandths).div(1000).toFixed());
const price = digits.map((cents) => new Exact(cents).plus(100).div(100).toFixed());
const sent = fc
  .record({
    quantity,
    price,
    change: fc.constantFrom('0.02', '0.5', '1', '1.3', '20'),
    cost: fc.constantFrom('total', 'unit', 'zero', 'random', 'none'),
    paid: fc.constantFrom('total', 'unit', 'zero', 'random', 'none'),
    random: price,
  })
  .map((drawn) => {
    const total = new Exact(drawn.quantity).times(drawn.price);
    const figures = {
      total: total.toFixed(),
      unit: drawn.price,
      zero: '0.00',
      random: drawn.random,
      none: undefined,
    };
    const [cost, paid] = [figures[drawn.cost], figures[drawn.paid]];
    return {
      quantity: drawn.quantity,
      value: total.times(drawn.change).toFixed(),
      ...(cost === undefined ? {} : { cost }),
      ...(paid === undefined ? {} : { paid }),
    } satisfies SentHolding;
  });

function scaled({ quantity: units, ...money }: SentHolding, factor: number): SentHolding {
  const amounts = Object.entries(money).map(([name, amount]) => [
    name,
    new Exact(String(amount)).times(factor).toFixed(),
  ]);
  return { quantity: units, ...Object.fromEntries(amounts) };
}

describe('The cost basis of any figures', () => {
  it('is unknown or one of the two readings of a figure that came, and never zero', () => {
    fc.assert(
      fc.property(sent, (holding) => {
        const { costBasis } = resolve(holding) ?? {};
        const readings = [holding.cost, holding.paid].flatMap((figure) =>
          figure === undefined
            ? []
            : [new Exact(figure), new Exact(figure).times(holding.quantity)],
        );
        const possible = readings
          .filter((reading) => !reading.isZero())
          .map((reading) => reading.toDecimalPlaces(10, Decimal.ROUND_HALF_EVEN).toFixed());
        expect([undefined, ...possible]).toContain(costBasis?.toFixed());
      }),
    );
  });

  it('is the negative of it for the same short position, by the same evidence', () => {
    fc.assert(
      fc.property(sent, (holding) => {
        const long = resolve(holding);
        const short = resolve({
          ...holding,
          quantity: `-${holding.quantity}`,
          value: `-${holding.value}`,
        });
        expect(short?.costBasis?.negated().toFixed()).toBe(long?.costBasis?.toFixed());
        expect(short?.costBasisEvidence).toBe(long?.costBasisEvidence);
        expect(short?.price).toEqual(long?.price);
      }),
    );
  });

  it('is as many times as large when every amount of money is', () => {
    fc.assert(
      fc.property(sent, fc.integer({ min: 2, max: 10_000 }), (holding, factor) => {
        const once = resolve(holding);
        const often = resolve(scaled(holding, factor));
        expect(often?.costBasisEvidence).toBe(once?.costBasisEvidence);
        expect(often?.costBasis?.toFixed()).toBe(
          once?.costBasis == null ? undefined : new Exact(once.costBasis).times(factor).toFixed(),
        );
      }),
    );
  });

  it('does not depend on the order of the holdings of an account', () => {
    const costsOf = (account: readonly SentHolding[]) =>
      resolveHoldings(
        account.map((each) => holdingOf(each)),
        { convention: null, earlier: [] },
      );
    fc.assert(
      fc.property(fc.array(sent, { minLength: 2, maxLength: 6 }), (account) => {
        const forward = costsOf(account);
        const backward = costsOf(account.toReversed());
        expect(backward.convention).toBe(forward.convention);
        expect(backward.holdings.toReversed()).toEqual(forward.holdings);
      }),
    );
  });
});
