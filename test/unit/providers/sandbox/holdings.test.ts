// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import { Decimal } from 'decimal.js';
import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';
import { toHoldings } from '../../../../providers/sandbox/data/fetch-holdings.js';
import { toInvestmentTransaction } from '../../../../providers/sandbox/data/fetch-investment-transactions.js';
import { toLiability } from '../../../../providers/sandbox/data/fetch-liabilities.js';
import { holdingsOf } from '../../../../simulators/sandbox-bank/investments/holdings.js';
import { investmentTransactionsOf } from '../../../../simulators/sandbox-bank/investments/investment-transactions.js';
import { dayOf } from '../../../../simulators/sandbox-bank/transactions/day-number.js';
import { customerOf } from '../../sandbox-bank/support/customers.js';

const investor = customerOf('user_good', { worldSeed: '7', areas: ['investments'] });
const TODAY = dayOf(2026, 3, 2);
const SENT = holdingsOf(investor, TODAY);

const faults: SourceFault[] = [];
const note = (fault: SourceFault) => void faults.push(fault);
beforeEach(() => void faults.splice(0));

/** The bank's answer with other fields in its first holding of a kind. */
function read(kind: string, fields: object = {}) {
  const changed = SENT.holdings.find(({ security }) => security.kind === kind);
  const body = {
    ...SENT,
    holdings: SENT.holdings.map((row) => (row === changed ? { ...row, ...fields } : row)),
  };
  const { accounts, holdings } = toHoldings(new RemoteObject(body, 'response'), { note });
  const holding = holdings.find(({ providerHoldingId: id }) => id === changed?.holding_id);
  return { accounts, holdings, holding, sent: changed };
}

describe('Holdings of the sandbox bank', () => {
  it('are read completely, without any fault', () => {
    const { accounts, holdings } = read('SHARE');
    expect([accounts.length, holdings.length]).toEqual([3, SENT.holdings.length]);
    expect(faults).toEqual([]);
    expect(new Set(holdings.map(({ security }) => security.type))).toEqual(
      new Set([
        'equity',
        'etf',
        'mutual_fund',
        'fixed_income',
        'derivative',
        'cryptocurrency',
        'cash',
      ]),
    );
  });

  it('quoted in pence are in pounds', () => {
    const { holdings } = read('SHARE');
    const sent = SENT.holdings.find(({ currency }) => currency === 'GBX');
    const holding = holdings.find(({ providerHoldingId: id }) => id === sent?.holding_id);
    expect(holding).toMatchObject({ currency: 'GBP', security: { currency: 'GBP' } });
    const pounds = (pence: string | null | undefined) => new Decimal(pence ?? NaN).dividedBy(100);
    expect(holding?.price).toEqual(pounds(sent?.price));
    expect(holding?.value).toEqual(pounds(sent?.value));
    expect(holding?.cost).toEqual({
      reported: sent?.cost_basis,
      basis: pounds(sent?.cost_basis),
      pricePaid: pounds(sent?.purchase_price),
      isTotal: false,
    });
  });

  it('state a total cost only where the bank does', () => {
    const totals = read('SHARE').holdings.map(({ cost }) => cost.isTotal);
    expect(totals).toEqual(SENT.holdings.map(({ cost_basis_kind: kind }) => kind === 'TOTAL'));
    expect(new Set(totals).size).toBe(2);
  });

  it.each([
    ['quantity', 'abc'],
    ['quantity', null],
    ['quantity', '1e400'],
    ['security', 'EXSY'],
  ])('lose one holding, and nothing else, to %s %p', (field, value) => {
    const { accounts, holdings, sent } = read('SHARE', { [field]: value });
    expect(accounts).toHaveLength(3);
    expect(holdings).toHaveLength(SENT.holdings.length - 1);
    expect(faults).toMatchObject([{ scope: 'row', account: sent?.account_id }]);
  });

  it.each([
    ['value', 'abc', { value: null }],
    ['price', '-3.50', { price: null }],
    ['price_date', '0001-01-01', { priceAsOf: null }],
    ['cost_basis', ['1'], { cost: { basis: null, reported: null } }],
    ['cost_basis', 'N/A', { cost: { basis: null, reported: 'N/A' } }],
    ['currency', 'DOGE', { currency: 'USD' }],
    ['lots', [{ lot_id: 'a' }], { lots: [] }],
    ['is_cash', 'yes', { isCash: null }],
  ])('lose only one value to %s %p', (field, value, expected) => {
    const { holding, holdings, sent } = read('SHARE', { [field]: value });
    expect(holdings).toHaveLength(SENT.holdings.length);
    expect(holding).toMatchObject(expected);
    expect(faults).toMatchObject([{ scope: 'value', account: sent?.account_id }]);
  });

  it('lose an identifier with a wrong check digit, and keep the others', () => {
    const { sent } = read('SHARE');
    const security = { ...sent?.security, isin: 'US99900A1008' };
    expect(read('SHARE', { security }).holding?.security).toMatchObject({
      isin: null,
      cusip: '99900A100',
      symbol: 'EXSY',
    });
    expect(faults).toMatchObject([{ scope: 'value', field: 'isin', reason: 'impossible' }]);
  });
});

describe('A movement at the sandbox bank', () => {
  const rows = investmentTransactionsOf(investor, TODAY);
  const rowOf = (code: string, fields: object = {}) => {
    const sent = rows.find((row) => row.code === code);
    return toInvestmentTransaction(
      { ...sent, ...fields },
      { account: 'a1', scope: { account: 'a1', note } },
    );
  };

  it('is read without any fault, of whatever kind', () => {
    for (const row of rows)
      expect(
        toInvestmentTransaction(row, { account: 'a1', scope: { account: 'a1', note } }),
      ).toMatchObject({ providerTransactionId: row.transaction_id, date: row.booking_date });
    expect(faults).toEqual([]);
  });

  it.each([
    ['BOUGHT', 'buy', null, -1, 1],
    ['SOLD', 'sell', null, 1, -1],
    ['SOLD_SHORT', 'sell', 'sell_short', 1, -1],
    ['REINVESTED', 'buy', 'reinvestment', 0, 1],
    ['CONTRIBUTION', 'deposit', 'contribution', 1, null],
    ['WITHDRAWAL', 'withdrawal', null, -1, null],
    ['FEE', 'fee', null, -1, null],
    ['TRANSFERRED_IN', 'transfer', null, null, 1],
    ['EXPIRED', 'other', 'expire', null, 1],
  ])('%s is %s %p, with the signs of money and position', (code, type, subtype, cash, position) => {
    const row = rowOf(code);
    const sign = (figure: Decimal | null | undefined) =>
      figure == null ? null : figure.comparedTo(0);
    expect([row?.type, row?.subtype, sign(row?.amount), sign(row?.quantity)]).toEqual([
      type,
      subtype,
      cash,
      position,
    ]);
  });

  it('that sells a positive quantity reduces the position, and is noted', () => {
    expect(rowOf('SOLD', { quantity: '6' })?.quantity).toEqual(new Decimal(-6));
    expect(faults).toMatchObject([{ scope: 'value', field: 'quantity' }]);
  });

  it('that buys without an amount costs its value and its fees', () => {
    const money = { amount: null, gross: null, quantity: '20000', price: '98.60', fees: '4.95' };
    const bond = rows.find(({ security }) => security?.kind === 'BOND')?.security;
    expect(rowOf('BOUGHT', { ...money, security: bond })?.amount).toEqual(new Decimal('-19724.95'));
    expect(() => rowOf('BOUGHT', { ...money, price: null })).toThrow('amount');
  });

  it('without a day or a currency is unreadable, and of an unknown code it is other', () => {
    expect(() => rowOf('BOUGHT', { booking_date: null })).toThrow('booking_date');
    expect(() => rowOf('BOUGHT', { currency: '' })).toThrow('currency');
    expect(rowOf('BOUGHT', { code: 'SPUN_OFF' })).toMatchObject({
      type: 'other',
      sourceCode: 'SPUN_OFF',
    });
  });
});

describe('A debt at the sandbox bank', () => {
  const debt = (fields: object) =>
    toLiability(
      { account_id: 'a1', kind: 'MORTGAGE', currency: 'USD', ...fields },
      { account: 'a1', note },
    );

  it('keeps zero, credit and due days as sent, and loses impossible values alone', () => {
    expect(
      debt({
        kind: 'CARD',
        balance: '-12.50',
        minimum_payment: '0',
        next_payment: { due_on: '2020-02-01', amount: '25' },
        rates: [
          { kind: 'PURCHASE', apr: '24.99' },
          { kind: 'CASH', apr: '2499' },
        ],
      }),
    ).toMatchObject({
      kind: 'credit',
      balance: new Decimal('-12.5'),
      minimumPayment: new Decimal(0),
      nextPayment: { dueOn: '2020-02-01' },
      rates: [{ kind: 'purchase', percentage: new Decimal('24.99') }],
    });
    expect(faults).toMatchObject([{ scope: 'value', field: 'rates', reason: 'impossible' }]);
  });

  it('of unknown kind or currency is unreadable', () => {
    expect(() => debt({ kind: 'FAVOR' })).toThrow('kind');
    expect(() => debt({ currency: '' })).toThrow('currency');
  });
});
