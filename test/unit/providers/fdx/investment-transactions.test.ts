// cspell:ignoreRegExp /\b[A-Z0-9]{3,}\b/g
import { toInvestmentTransaction } from '../../../../providers/fdx/data/investments/to-investment-transaction.js';
import { asSent } from './support/fdx-bodies.js';
import { collectFaults, faults, scope } from './support/fdx-faults.js';

collectFaults();

const ROW = {
  transactionId: 't1',
  transactionTimestamp: '2026-11-20T10:30:00.000-05:00',
  status: 'POSTED',
};
const tradeOf = (fields: object) =>
  toInvestmentTransaction(asSent({ ...ROW, ...fields }), {
    accountId: 'a1',
    currency: 'USD',
    today: '2026-11-29',
    scope,
  });
const text = (value: { toFixed(): string } | null | undefined) => value?.toFixed() ?? null;
const places = () => faults.map(({ scope: of, field }) => `${of} ${field}`);

/** Type and subtype, change of the position, change of cash. */
const meaning = (fields: object) => {
  const trade = tradeOf(fields);
  const kind = [trade?.type, trade?.subtype].filter((word) => word != null).join('/');
  return [kind, text(trade?.quantity), text(trade?.amount)];
};

const TRADED = { symbol: 'EXA', units: 10, unitPrice: 50, amount: 500 };
const CASH = { amount: 25.5 };

describe('An FDX row of an investment account', () => {
  it.each([
    ['PURCHASED', TRADED, 'buy', '10', '-500'],
    ['PURCHASETOOPEN', TRADED, 'buy', '10', '-500'],
    ['PURCHASEDTOCOVER', TRADED, 'buy/buy_to_cover', '10', '-500'],
    ['PURCHASETOCLOSE', TRADED, 'buy/buy_to_cover', '10', '-500'],
    ['SOLD', TRADED, 'sell', '-10', '500'],
    ['SOLDTOCLOSE', TRADED, 'sell', '-10', '500'],
    ['SOLDTOOPEN', TRADED, 'sell/sell_short', '-10', '500'],
    ['DIVIDEND', TRADED, 'dividend', null, '500'],
    ['DIV', CASH, 'dividend', null, '25.5'],
    ['DIVIDEND', { ...CASH, incomeType: 'CGLONG' }, 'dividend/capital_gain_long', null, '25.5'],
    ['DIV', { ...CASH, incomeType: 'CGSHORT' }, 'dividend/capital_gain_short', null, '25.5'],
    ['DIV', { ...CASH, incomeType: 'MISC' }, 'dividend', null, '25.5'],
    ['DIVIDENDREINVEST', TRADED, 'buy/reinvestment', '10', '0'],
    ['REINVESTOFINCOME', TRADED, 'buy/reinvestment', '10', '0'],
    ['INTEREST', CASH, 'interest', null, '25.5'],
    ['MARGININTEREST', CASH, 'fee/margin_interest', null, '-25.5'],
    ['FEE', CASH, 'fee', null, '-25.5'],
    ['FEE', { ...CASH, units: 0.5 }, 'fee', '-0.5', '-25.5'],
    ['SRVCHG', CASH, 'fee/account_fee', null, '-25.5'],
    ['EXPENSE', CASH, 'fee', null, '-25.5'],
    ['INVEXPENSE', CASH, 'fee', null, '-25.5'],
    ['EXPENSE', { withholding: 6.4, stateWithholding: 1.1 }, 'tax', null, '-7.5'],
    ['OTHER', { taxes: 3, amount: 3 }, 'tax', null, '-3'],
    ['FEE', { taxes: 3, amount: 10 }, 'fee', null, '-10'],
    ['CONTRIBUTION', CASH, 'deposit/contribution', null, '25.5'],
    ['DEP', CASH, 'deposit', null, '25.5'],
    ['DEPOSIT', CASH, 'deposit', null, '25.5'],
    ['DIRECTDEP', CASH, 'deposit', null, '25.5'],
    ...['ATM', 'POS', 'CHECK', 'PAYMENT', 'CASH', 'DIRECTDEBIT', 'REPEATPMT'].flatMap(
      (type): [string, object, string, null, string][] => [
        [type, { ...CASH, debitCreditMemo: 'DEBIT' }, 'withdrawal', null, '-25.5'],
        [type, { ...CASH, debitCreditMemo: 'CREDIT' }, 'deposit', null, '25.5'],
        [type, CASH, 'other', null, '25.5'],
      ],
    ),
    ['TRANSFER', { ...TRADED, transferAction: 'IN' }, 'transfer', '10', null],
    ['TRANSFER', { ...TRADED, debitCreditMemo: 'DEBIT' }, 'transfer', '-10', null],
    ['XFER', { ...CASH, transferAction: 'OUT' }, 'transfer', null, '-25.5'],
    ['XFER', { amount: -25.5 }, 'transfer', null, '-25.5'],
    ['JRNLSEC', { symbol: 'EXA', shares: -4 }, 'transfer', '-4', null],
    ['JRNLFUND', { ...CASH, debitCreditMemo: 'CREDIT' }, 'transfer', null, '25.5'],
    ['SPLIT', { symbol: 'EXA', oldUnits: 100, newUnits: 400 }, 'split', '300', null],
    ['OPTIONEXERCISE', { units: 2, positionType: 'LONG', amount: 0 }, 'other/exercise', '-2', '0'],
    ['OPTIONEXPIRATION', { units: 2, positionType: 'SHORT' }, 'other/expire', '2', null],
    ['OPTIONEXPIRATION', { shares: -2 }, 'other/expire', '-2', null],
    ['OPTIONEXPIRATION', { units: 2 }, 'other/expire', null, null],
    ['RETURNOFCAPITAL', CASH, 'other/return_of_capital', null, '25.5'],
    ['ADJUSTMENT', { shares: -0.5 }, 'other/adjustment', '-0.5', null],
    ['CLOSURE', CASH, 'other', null, '25.5'],
    ['CLOSUREOPT', CASH, 'other', null, '25.5'],
    ['INCOME', CASH, 'other', null, '25.5'],
    ['OTHER', { amount: -25.5 }, 'other', null, '-25.5'],
    ['OTHER', { ...CASH, debitCreditMemo: 'DEBIT' }, 'other', null, '-25.5'],
    [undefined, CASH, 'other', null, '25.5'],
  ])('of type %s with %j means %s: units %s, cash %s', (transactionType, fields, ...expected) => {
    expect(meaning({ transactionType, ...fields })).toEqual(expected);
    expect(faults).toEqual([]);
  });

  it('of a type that is not known is another movement, which is noted', () => {
    expect(meaning({ transactionType: 'SPINOFF', ...CASH })).toEqual(['other', null, '25.5']);
    expect(tradeOf({ transactionType: 'SPINOFF' })?.sourceCode).toBe('SPINOFF');
    expect(new Set(places())).toEqual(new Set(['value transactionType']));
  });

  it('keeps the value of what moved as sent, and its fees and taxes as sums', () => {
    const trade = tradeOf({
      transactionType: 'SOLD',
      ...TRADED,
      commission: 4.95,
      fees: 0.02,
      load: 1,
      markup: 0.5,
      taxes: 2,
      withholding: 0.25,
    });
    expect([trade?.gross, trade?.fees, trade?.taxes, trade?.price].map(text)).toEqual([
      '500',
      '6.47',
      '2.25',
      '50',
    ]);
    const reinvested = tradeOf({ transactionType: 'DIVIDENDREINVEST', ...TRADED });
    expect([reinvested?.gross, reinvested?.fees].map(text)).toEqual(['500', null]);
  });

  it.each([
    [
      'a sale with positive shares',
      { transactionType: 'SOLD', shares: 5, amount: 260 },
      '5',
      '260',
    ],
    [
      'a sale that debits the account',
      { transactionType: 'SOLD', units: 5, amount: 260, debitCreditMemo: 'DEBIT' },
      '-5',
      '-260',
    ],
  ])('leaves the sign that %s states to the core, which corrects it', (_, fields, ...expected) => {
    expect(meaning(fields).slice(1)).toEqual(expected);
  });

  it.each([
    ['credits the account', { debitCreditMemo: 'CREDIT', units: 10 }, '-10', '500'],
    ['removes shares', { shares: -10 }, '-10', '500'],
    ['repeats the purchase', { debitCreditMemo: 'DEBIT', shares: 10 }, '10', '-500'],
    ['states no direction', { units: 10 }, '10', '-500'],
  ])('that corrects a purchase and %s moves as it states', (_, fields, ...expected) => {
    const row = {
      transactionType: 'PURCHASED',
      amount: 500,
      referenceTransactionId: 't0',
      ...fields,
    };
    expect(meaning(row)).toEqual(['buy', ...expected]);
    expect(tradeOf(row)?.cancels).toBe('a1/t0');
  });

  it.each([
    ['new and old units', { oldUnits: 13.5, newUnits: 27 }, '13.5'],
    ['a reverse split', { oldUnits: 30, newUnits: 3 }, '-27'],
    [
      'a ratio of the old units',
      { oldUnits: 9, splitRatioNumerator: 4, splitRatioDenominator: 3 },
      '3',
    ],
    [
      'a ratio of the new units',
      { newUnits: 12, splitRatioNumerator: 4, splitRatioDenominator: 3 },
      '3',
    ],
    ['its own units', { units: 7 }, '7'],
    ['a ratio alone', { splitRatioNumerator: 2, splitRatioDenominator: 1 }, null],
  ])('for a split changes the position by %s', (_, fields, expected) => {
    expect(meaning({ transactionType: 'SPLIT', ...fields })[1]).toBe(expected);
    expect(faults).toEqual([]);
  });

  it('for a split has the cash in lieu of a fraction, and survives a ratio to zero', () => {
    const split = {
      transactionType: 'SPLIT',
      oldUnits: 5,
      splitRatioNumerator: 2,
      splitRatioDenominator: 0,
      fractionalCash: 0.42,
    };
    expect(meaning(split)).toEqual(['split', null, '0.42']);
    expect(places()).toEqual(['value splitRatioDenominator']);
  });

  it('that the bank marks as MEMO moves no money', () => {
    const row = { transactionType: 'INTEREST', ...CASH, debitCreditMemo: 'MEMO' };
    expect(meaning(row)).toEqual(['interest', null, null]);
    expect(tradeOf(row)?.cashTransactionId).toBeNull();
  });

  it('names the row of the cash account that is the same movement, if there is one', () => {
    const row = { transactionType: 'DIVIDEND', ...CASH };
    expect(tradeOf({ ...row, debitCreditMemo: 'CREDIT' })?.cashTransactionId).toBe('a1/t1');
    expect(tradeOf(row)?.cashTransactionId).toBeNull();
  });

  it.each([
    [
      'digital units before rounded ones',
      { digitalUnits: '0.123456789012345678', units: 0.12 },
      '0.123456789012345678',
    ],
    ['shares before units', { shares: 3, units: 4 }, '3'],
    ['the face value of a bond', { securityType: 'DEBT', faceValue: 5000 }, '5000'],
    ['nothing for units that are money', { units: 500, unitType: 'CURRENCY' }, null],
  ])('counts %s', (_, fields, expected) => {
    expect(meaning({ transactionType: 'PURCHASED', amount: 1, ...fields })[1]).toBe(expected);
  });

  it.each([
    ['STOCK', 'equity', null],
    ['MUTUALFUND', 'mutual_fund', 'mutual_fund'],
    ['DEBT', 'fixed_income', 'bond'],
    ['BOND', 'fixed_income', 'bond'],
    ['OPTION', 'derivative', 'option'],
    ['SWEEP', 'cash', null],
    ['DIGITALASSET', 'cryptocurrency', 'cryptocurrency'],
    ['OTHER', 'other', null],
    [undefined, null, null],
  ])('with a security of type %s has one of type %s, subtype %s', (securityType, type, subtype) => {
    expect(tradeOf({ symbol: 'EXA', securityType })?.security).toMatchObject({
      symbol: 'EXA',
      type,
      subtype,
      currency: 'USD',
    });
  });

  it('that names no security has none', () => {
    expect(tradeOf({ transactionType: 'FEE', ...CASH })?.security).toBeNull();
  });

  it('has the day of the trade, its local time, and the day on which it settles', () => {
    const times = {
      postedTimestamp: '2026-11-22T00:00:00.000-05:00',
      settlementTimestamp: '2026-11-24',
    };
    expect(tradeOf(times)).toMatchObject({
      date: '2026-11-20',
      datetime: '2026-11-20T10:30:00.000',
      settledOn: '2026-11-24',
      pending: false,
    });
    expect(tradeOf({ ...times, transactionTimestamp: undefined })?.date).toBe('2026-11-22');
  });

  it('without any day or id is lost, and one that did not happen is none', () => {
    expect(() => tradeOf({ transactionTimestamp: undefined })).toThrow('transactionTimestamp');
    expect(() => tradeOf({ transactionId: '' })).toThrow('transactionId');
    expect(tradeOf({ status: 'CANCELLED' })).toBeNull();
  });

  it('keeps an unknown amount of a purchase unknown, for the core to compute', () => {
    const { symbol, units, unitPrice } = TRADED;
    expect(meaning({ transactionType: 'PURCHASED', symbol, units, unitPrice })).toEqual([
      'buy',
      '10',
      null,
    ]);
  });

  it('does without negative fees, prices and taxes, which are noted', () => {
    const trade = tradeOf({ ...TRADED, unitPrice: -50, fees: -1, taxes: -2 });
    expect([trade?.price, trade?.fees, trade?.taxes]).toEqual([null, null, null]);
    expect(places().sort()).toEqual(['value fees', 'value taxes', 'value unitPrice']);
  });
});
