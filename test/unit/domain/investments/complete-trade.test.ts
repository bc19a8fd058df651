import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { completeTrade } from '../../../../domain/investments/complete-trade.js';
import type { FetchedInvestmentTransaction } from '../../../../domain/investments/fetched-investment-transaction.js';
import type { FetchedSecurity } from '../../../../domain/investments/fetched-security.js';
import { INVESTMENT_TRANSACTION_TYPES } from '../../../../domain/investments/investment-transaction-types.js';
import { renderInvestmentTransaction } from '../../../../domain/investments/present-investment-transaction.js';

type Type = FetchedInvestmentTransaction['type'];
type Figure = string | null;
interface Figures {
  quantity?: Figure;
  price?: Figure;
  amount?: Figure;
  gross?: Figure;
  fees?: Figure;
  taxes?: Figure;
}

const decimal = (text: Figure = null) => (text === null ? null : new Decimal(text));
const SECURITY: FetchedSecurity = {
  ownId: null,
  name: null,
  symbol: 'EXC',
  exchange: null,
  isin: null,
  cusip: null,
  sedol: null,
  figi: null,
  type: 'equity',
  subtype: null,
  currency: 'USD',
  isCashEquivalent: null,
  option: null,
  fixedIncome: null,
};
const CALL: FetchedSecurity = {
  ...SECURITY,
  type: 'derivative',
  option: {
    underlyingSymbol: 'EXC',
    kind: 'call',
    expiresOn: '2026-06-19',
    strikePrice: new Decimal(50),
    contractSize: null,
  },
};
const BOND: FetchedSecurity = { ...SECURITY, type: 'fixed_income' };

function trade(
  type: Type,
  figures: Figures,
  fields: Partial<FetchedInvestmentTransaction> = {},
): FetchedInvestmentTransaction {
  const { quantity, price, amount, gross, fees, taxes } = figures;
  return {
    providerTransactionId: 't1',
    providerAccountId: 'a1',
    security: SECURITY,
    type,
    subtype: null,
    sourceCode: null,
    quantity: decimal(quantity),
    price: decimal(price),
    amount: decimal(amount),
    gross: decimal(gross),
    fees: decimal(fees),
    taxes: decimal(taxes),
    currency: 'USD',
    date: '2026-03-04',
    datetime: null,
    settledOn: null,
    description: null,
    pending: false,
    cancels: null,
    cashTransactionId: null,
    ...fields,
  };
}

const figuresOf = (completed: ReturnType<typeof completeTrade>) =>
  completed === null
    ? null
    : {
        quantity: completed.trade.quantity?.toFixed() ?? null,
        amount: completed.trade.amount?.toFixed() ?? null,
        isSignCorrected: completed.isSignCorrected,
      };

describe('The signs of a trade', () => {
  it.each<[string, Type, Figures, Figures & { isSignCorrected: boolean }]>([
    [
      'of a purchase stay',
      'buy',
      { quantity: '2', amount: '-20' },
      { quantity: '2', amount: '-20', isSignCorrected: false },
    ],
    [
      'of a purchase listed as an inflow of cash are corrected',
      'buy',
      { quantity: '2', amount: '20' },
      { quantity: '2', amount: '-20', isSignCorrected: true },
    ],
    [
      'of a sale listed with a positive quantity are corrected',
      'sell',
      { quantity: '2', amount: '20' },
      { quantity: '-2', amount: '20', isSignCorrected: true },
    ],
    [
      'of a reinvestment leave its amount at 0',
      'buy',
      { quantity: '2', amount: '0' },
      { quantity: '2', amount: '0', isSignCorrected: false },
    ],
    [
      'of a dividend are those of an inflow',
      'dividend',
      { amount: '-5' },
      { quantity: null, amount: '5', isSignCorrected: true },
    ],
    [
      'of interest are those of an inflow',
      'interest',
      { amount: '-5' },
      { quantity: null, amount: '5', isSignCorrected: true },
    ],
    [
      'of a fee are those of an outflow',
      'fee',
      { amount: '5' },
      { quantity: null, amount: '-5', isSignCorrected: true },
    ],
    [
      'of a tax are those of an outflow',
      'tax',
      { amount: '5' },
      { quantity: null, amount: '-5', isSignCorrected: true },
    ],
    [
      'of a dividend paid in shares leave the quantity as stated',
      'dividend',
      { quantity: '-2', amount: '5' },
      { quantity: '-2', amount: '5', isSignCorrected: false },
    ],
    [
      'of a transfer are those that the source states',
      'transfer',
      { quantity: '-2', amount: '7' },
      { quantity: '-2', amount: '7', isSignCorrected: false },
    ],
  ])('%s', (_, type, figures, expected) => {
    expect(figuresOf(completeTrade(trade(type, figures)))).toEqual(expected);
  });

  it('of a row that cancels another one are those that the source states', () => {
    const reversal = trade('sell', { quantity: '2', amount: '-20' }, { cancels: 't0' });
    expect(figuresOf(completeTrade(reversal))).toEqual({
      quantity: '2',
      amount: '-20',
      isSignCorrected: false,
    });
  });

  it('are stable: a completed trade is complete', () => {
    const figure = fc.option(fc.integer({ min: -9999, max: 9999 }).map(String));
    fc.assert(
      fc.property(
        fc.constantFrom(...INVESTMENT_TRANSACTION_TYPES),
        fc.record({ quantity: figure, price: fc.nat({ max: 9999 }).map(String), amount: figure }),
        (type, figures) => {
          const completed = completeTrade(trade(type, figures));
          if (completed === null) return;
          expect(completeTrade(completed.trade)).toEqual({
            trade: completed.trade,
            isSignCorrected: false,
          });
        },
      ),
    );
  });
});

describe('The missing amount of a trade', () => {
  const computed = (type: Type, figures: Figures, fields = {}) => {
    const completed = completeTrade(trade(type, figures, fields));
    return completed === null
      ? null
      : [completed.trade.amount?.toFixed() ?? null, completed.trade.isAmountComputed ?? false];
  };

  it.each<[string, Type, Figures, Partial<FetchedInvestmentTransaction>, string]>([
    [
      'of a purchase is quantity × price, and costs',
      'buy',
      { quantity: '12.5', price: '101.10', fees: '4.95', taxes: '1' },
      {},
      '-1269.7',
    ],
    [
      'of a sale is quantity × price less costs',
      'sell',
      { quantity: '12.5', price: '101.10', fees: '4.95', taxes: '1' },
      {},
      '1257.8',
    ],
    ['of a purchase is its gross value, and costs', 'buy', { gross: '100', fees: '5' }, {}, '-105'],
    [
      'of an option counts the usual contract of 100',
      'buy',
      { quantity: '3', price: '4.25' },
      { security: CALL },
      '-1275',
    ],
    [
      'of a bond counts percent of par',
      'buy',
      { quantity: '20000', price: '98.60' },
      { security: BOND },
      '-19720',
    ],
    [
      'is rounded to the digits of its currency',
      'buy',
      { quantity: '0.333', price: '10.01' },
      {},
      '-3.33',
    ],
    ['is rounded to half a unit evenly', 'buy', { quantity: '0.5', price: '0.09' }, {}, '-0.04'],
    [
      'has no decimals in a currency without minor units',
      'buy',
      { quantity: '3', price: '100.7' },
      { currency: 'JPY' },
      '-302',
    ],
    [
      'is exact for 38 digits',
      'buy',
      { quantity: '1234567890123456789.0000000000000000001', price: '1' },
      {},
      '-1234567890123456789',
    ],
  ])('%s', (_, type, figures, fields, amount) => {
    expect(computed(type, figures, fields)).toEqual([amount, true]);
  });

  it.each<[string, Type, Figures]>([
    ['a purchase without a price', 'buy', { quantity: '2' }],
    ['a purchase without a quantity', 'buy', { price: '2' }],
    ['a sale without a price', 'sell', { quantity: '2' }],
  ])('makes %s unreadable', (_, type, figures) => {
    expect(completeTrade(trade(type, figures))).toBeNull();
  });

  it.each<Type>(['dividend', 'transfer', 'split', 'other'])('of type %s stays unknown', (type) => {
    expect(computed(type, { quantity: '2', price: '3' })).toEqual([null, false]);
  });
});

describe('The public form of an investment transaction', () => {
  const shown = (
    type: Type,
    figures: Figures,
    fields: Partial<FetchedInvestmentTransaction> = {},
  ) =>
    JSON.parse(
      renderInvestmentTransaction('itx_1', trade(type, figures, fields), {
        accountId: 'acc_1',
        securityId: 'sct_1',
        cancels: null,
        transactionId: null,
      }),
    ) as Record<string, unknown>;

  it('has quantities and prices as exact text, and money as numbers', () => {
    const text = '0.123456789012345678';
    expect(shown('buy', { quantity: text, price: '8.10', amount: '-1.00' })).toMatchObject({
      quantity: text,
      price: '8.1',
      amount: -1,
    });
  });

  it.each([
    ['the contract size of an option that its value proves', CALL, { gross: '1275' }, '100'],
    ['1 for an option whose value counts single shares', CALL, { gross: '12.75' }, '1'],
    ['the usual contract size without a value', CALL, {}, '100'],
    ['a hundredth for percent of par', BOND, {}, '0.01'],
    ['1 for a share', SECURITY, {}, '1'],
    ['1 without a security', null, {}, '1'],
  ])('has as price factor %s', (_, security, figures, factor) => {
    expect(
      shown('buy', { quantity: '3', price: '4.25', amount: '-1', ...figures }, { security })[
        'price_factor'
      ],
    ).toBe(factor);
  });

  it('has no price factor without a price', () => {
    expect(shown('buy', { quantity: '3', amount: '-1' })).toMatchObject({
      price: null,
      price_factor: null,
    });
  });

  it.each([
    ['reported', '-1', false],
    ['computed', '-1', true],
    [null, null, false],
  ])('names the source of its amount: %s', (source, amount, isAmountComputed) => {
    expect(shown('transfer', { amount }, { isAmountComputed })['amount_source']).toBe(source);
  });
});
