import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { resolveHoldings } from '../../../../domain/investments/resolve-holdings.js';
import { holdingOf, securityOf, type SentHolding } from './support/holdings.js';

function pricesOf(sent: SentHolding) {
  const [holding] = resolveHoldings([holdingOf(sent)], { convention: null, earlier: [] }).holdings;
  const { price = null, priceSource, priceFactor, value } = holding ?? {};
  return [price?.toFixed(), priceSource, priceFactor?.toFixed(), value?.toFixed()].map(
    (figure) => figure ?? null,
  );
}

const option = (contractSize: string | null): SentHolding['security'] => ({
  type: 'derivative',
  subtype: 'option',
  option: {
    underlyingSymbol: 'XYZ',
    kind: 'call',
    expiresOn: '2026-06-19',
    strikePrice: new Decimal(250),
    contractSize: contractSize === null ? null : new Decimal(contractSize),
  },
});
const BOND = { type: 'fixed_income' as const };
const AMORTIZED: SentHolding['security'] = {
  ...BOND,
  fixedIncome: {
    faceValue: null,
    couponRate: null,
    yieldToMaturity: null,
    maturesOn: null,
    issuedOn: null,
    amortizationFactor: new Decimal('0.75'),
  },
};

describe('Price and value of a holding', () => {
  it.each<[name: string, sent: SentHolding, prices: (string | null)[]]>([
    [
      'compute a missing price from the value',
      { quantity: '84.317', value: '6544.01' },
      ['77.6119880926', 'computed', '1', '6544.01'],
    ],
    [
      'compute a missing value from the price',
      { quantity: '12.5', price: '101.10' },
      ['101.1', 'reported', '1', '1263.75'],
    ],
    [
      'are as reported, even where they are of different days',
      { quantity: '10', price: '50', value: '510' },
      ['50', 'reported', '1', '510'],
    ],
    ['are unknown if neither came', { quantity: '10' }, [null, null, null, null]],
    ['keep a value of zero', { quantity: '0', value: '0.00' }, [null, null, null, '0']],
    [
      'have a price of zero for units without value',
      { quantity: '5', value: '-0.00' },
      ['0', 'computed', '1', '0'],
    ],
    [
      'have a positive price and a negative value for a short position, whatever sign came',
      { quantity: '-60', value: '1590' },
      ['26.5', 'computed', '1', '-1590'],
    ],
    [
      'have no price that would round to zero',
      { quantity: '10000000000', value: '0.01' },
      [null, null, null, '0.01'],
    ],
    [
      'count a hundred units for a contract of an option',
      { quantity: '3', price: '5.10', security: option(null) },
      ['5.1', 'reported', '100', '1530'],
    ],
    [
      'count the units that the source states for an adjusted contract',
      { quantity: '3', price: '5.10', value: '153', security: option('10') },
      ['5.1', 'reported', '10', '153'],
    ],
    [
      'count an option by its units if the value agrees with that alone',
      { quantity: '300', price: '5.10', value: '1530', security: option(null) },
      ['5.1', 'reported', '1', '1530'],
    ],
    [
      'count a contract by the symbol of an option if the value agrees',
      {
        quantity: '3',
        price: '5.10',
        value: '1530',
        security: { symbol: 'XYZ260619C00250000' },
      },
      ['5.1', 'reported', '100', '1530'],
    ],
    [
      'count a hundred units for a contract of zero',
      { quantity: '3', price: '5.10', security: option('0') },
      ['5.1', 'reported', '100', '1530'],
    ],
    [
      'count the units of a contract while the value does not exclude them decisively',
      { quantity: '3', price: '5.10', value: '100', security: option(null) },
      ['5.1', 'reported', '100', '100'],
    ],
    [
      'do not count the units of a contract that miss the value by 25 times',
      { quantity: '3', price: '5.10', value: '60', security: option(null) },
      ['5.1', 'reported', '1', '60'],
    ],
    [
      'count the price of a bond in percent of par',
      { quantity: '20000', price: '99.05', security: BOND },
      ['99.05', 'reported', '0.01', '19810'],
    ],
    [
      'count the price of a bond in money if the value agrees with that alone',
      { quantity: '20', price: '990.50', value: '19810', security: BOND },
      ['990.5', 'reported', '1', '19810'],
    ],
    [
      'count the unpaid part of a bond if the value agrees with that alone',
      { quantity: '20000', price: '99.05', value: '14800.00', security: AMORTIZED },
      ['99.05', 'reported', '0.0075', '14800'],
    ],
    [
      'count the whole of a bond whose face value is the unpaid part',
      { quantity: '15000', price: '99.05', value: '14857.50', security: AMORTIZED },
      ['99.05', 'reported', '0.01', '14857.5'],
    ],
    [
      'compute the price of a bond in percent of par',
      { quantity: '20000', value: '19810', security: BOND },
      ['99.05', 'computed', '0.01', '19810'],
    ],
    [
      'compute the price in the unit of the price paid',
      { quantity: '900', cost: '3060.00', paid: '340', value: '3105', currency: 'GBP' },
      ['345', 'computed', '0.01', '3105'],
    ],
    [
      'count a price in pence if the value agrees with that alone',
      { quantity: '900', price: '345', value: '3105', currency: 'GBP' },
      ['345', 'reported', '0.01', '3105'],
    ],
    [
      'do not assume pence without a value',
      { quantity: '900', price: '345', currency: 'GBP' },
      ['345', 'reported', '1', '310500'],
    ],
    [
      'are exact for a coin of 18 decimals',
      { quantity: '0.123456789012345678', price: '100000' },
      ['100000', 'reported', '1', '12345.6789012346'],
    ],
  ])('%s', (_name, sent, prices) => {
    expect(pricesOf(sent)).toEqual(prices);
  });

  it('agree: quantity × price × factor is the value, to the last decimal of the price', () => {
    const quantity = fc.integer({ min: -10_000_000, max: 10_000_000 }).filter((it) => it !== 0);
    const security = fc.constantFrom(securityOf(), securityOf(BOND), securityOf(option(null)));
    fc.assert(
      fc.property(
        quantity,
        fc.integer({ min: 1, max: 10 ** 9 }),
        security,
        (units, cents, described) => {
          const sent = {
            quantity: new Decimal(units).div(1000).toFixed(),
            value: new Decimal(cents).div(100).toFixed(),
            security: described,
          };
          const [price, , factor, value] = pricesOf(sent);
          const product = new Decimal(sent.quantity).times(price ?? 0).times(factor ?? 0);
          const rounding = new Decimal(sent.quantity)
            .times('1e-10')
            .times(factor ?? 0)
            .abs();
          expect(
            product
              .minus(value ?? 0)
              .abs()
              .lte(rounding),
          ).toBe(true);
        },
      ),
    );
  });
});
