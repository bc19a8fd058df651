// cspell:ignoreRegExp /\b[A-Z0-9]{4,}\b/g
import type { LiabilityKind } from '../../../../domain/liabilities/liability.js';
import { toLiability } from '../../../../providers/fdx/data/liabilities/to-liability.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';
import { asSent } from './support/fdx-bodies.js';
import { collectFaults, faults, scope } from './support/fdx-faults.js';

collectFaults();

const debtOf = (kind: LiabilityKind, fields: object, rates: 'percent' | 'fraction' = 'percent') =>
  toLiability(new RemoteObject(asSent(fields), 'response', scope), {
    id: 'a1',
    kind,
    currency: 'USD',
    rates,
    scope,
  });
/** Decimals as text. */
const shown = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => part ?? null));
const places = () => faults.map(({ scope: of, field }) => `${of} ${field}`);

const NOTHING = {
  providerAccountId: 'a1',
  currency: 'USD',
  balance: null,
  limit: null,
  available: null,
  statement: null,
  minimumPayment: null,
  nextPayment: null,
  lastPayment: null,
  pastDue: null,
  isOverdue: null,
  rates: [],
  interestRate: null,
  principal: null,
  originatedOn: null,
  maturesOn: null,
  termMonths: null,
  paymentsTotal: null,
  paymentFrequency: null,
  escrow: null,
  payoffAmount: null,
  yearToDate: null,
};

const CARD = {
  currentBalance: 812.4,
  creditLine: 5000,
  availableCredit: 4187.6,
  lastStmtDate: '2026-11-05',
  lastStmtBalance: 640.1,
  minimumPaymentAmount: 25,
  nextPaymentDate: '2026-11-30',
  nextPaymentAmount: 640.1,
  lastPaymentDate: '2026-10-30',
  lastPaymentAmount: 512.2,
  pastDueAmount: 0,
  purchasesApr: 24.99,
  advancesApr: 29.99,
};

const LOAN = {
  principalBalance: 214300.18,
  originalPrincipal: 240000,
  interestRate: 6.75,
  interestRateType: 'FIXED',
  originatingDate: '2021-06-01',
  maturityDate: '2051-06-01',
  loanTerm: 360,
  totalNumberOfPayments: 360,
  paymentFrequency: 'MONTHLY',
  escrowBalance: 1203.55,
  payoffAmount: 214980.03,
  interestPaidYearToDate: 13250.71,
  lastStmtDate: '2026-11-01',
  lastStmtBalance: 214300.18,
};

const PAID = {
  nextPayment: { dueOn: '2026-11-30', amount: '640.1' },
  lastPayment: { date: '2026-10-30', amount: '512.2' },
  minimumPayment: '25',
  pastDue: '0',
};

describe('The debt of an FDX account', () => {
  it.each(['credit', 'line_of_credit'] as const)(
    'of kind %s has limit, statement and rates',
    (kind) => {
      expect(
        shown(
          debtOf(kind, {
            ...CARD,
            ...LOAN,
            ...{ lastStmtDate: '2026-11-05', lastStmtBalance: 640.1 },
          }),
        ),
      ).toEqual({
        ...NOTHING,
        ...PAID,
        kind,
        balance: '812.4',
        limit: '5000',
        available: '4187.6',
        statement: { date: '2026-11-05', balance: '640.1' },
        rates: [
          { kind: 'purchase', percentage: '24.99', balance: null, interestCharged: null },
          { kind: 'cash', percentage: '29.99', balance: null, interestCharged: null },
        ],
      });
      expect(faults).toEqual([]);
    },
  );

  it.each([
    ['mortgage', null],
    ['student', { date: '2026-11-01', balance: '214300.18' }],
    ['loan', null],
  ] as const)(
    'of kind %s has principal, rate and term, and the statement %j',
    (kind, statement) => {
      const { currentBalance: _, creditLine: _limit, ...payments } = CARD;
      expect(shown(debtOf(kind, { ...payments, ...LOAN }))).toEqual({
        ...NOTHING,
        ...PAID,
        kind,
        statement,
        balance: '214300.18',
        interestRate: { percentage: '6.75', type: 'fixed' },
        principal: { original: '240000', outstanding: '214300.18' },
        originatedOn: '2021-06-01',
        maturesOn: '2051-06-01',
        termMonths: 360,
        paymentsTotal: 360,
        paymentFrequency: 'monthly',
        escrow: '1203.55',
        payoffAmount: '214980.03',
        yearToDate: { interest: '13250.71', principal: null },
      });
      expect(faults).toEqual([]);
    },
  );

  it('of which nothing is stated has every field, unknown', () => {
    expect(shown(debtOf('mortgage', {}))).toEqual({ ...NOTHING, kind: 'mortgage' });
    expect(shown(debtOf('credit', {}))).toEqual({ ...NOTHING, kind: 'credit' });
  });

  it('has the balance of its principal, and either spelling of the amount that pays it off', () => {
    expect(shown(debtOf('credit', { principalBalance: 10 }))).toMatchObject({ balance: '10' });
    expect(shown(debtOf('loan', { payOffAmount: 11 }))).toMatchObject({ payoffAmount: '11' });
  });

  it.each([
    ['percent', 24.99, '24.99'],
    ['percent', 0.99, '0.99'],
    ['percent', '24.99', '24.99'],
    ['fraction', 0.2499, '24.99'],
    ['fraction', '0.06125', '6.125'],
  ] as const)(
    'at a bank that writes rates as %s with %j has %s percent',
    (rates, sent, expected) => {
      const card = debtOf('credit', { purchasesApr: sent }, rates);
      const loan = debtOf('loan', { interestRate: sent }, rates);
      expect(card.rates[0]?.percentage.toFixed()).toBe(expected);
      expect(loan.interestRate?.percentage.toFixed()).toBe(expected);
    },
  );

  it('is overdue only by the status DELINQUENT', () => {
    expect(debtOf('credit', { status: 'DELINQUENT' }).isOverdue).toBe(true);
    expect(debtOf('credit', { status: 'OPEN', pastDueAmount: 5 }).isOverdue).toBeNull();
  });

  it.each([
    ['a loan sent negative', 'loan', { principalBalance: -100 }, { balance: '100' }],
    ['a credit balance of a card', 'credit', { currentBalance: -12 }, { balance: '-12' }],
    [
      'a minimum payment of nothing',
      'credit',
      { minimumPaymentAmount: 0 },
      { minimumPayment: '0' },
    ],
    [
      'a due date in the past',
      'credit',
      { nextPaymentDate: '2019-01-01' },
      { nextPayment: { dueOn: '2019-01-01', amount: null } },
    ],
  ] as const)('keeps %s', (_, kind, fields, expected) => {
    expect(shown(debtOf(kind, fields))).toMatchObject(expected);
    expect(faults).toEqual([]);
  });

  it.each([
    [
      'a negative minimum payment',
      { minimumPaymentAmount: -1 },
      'minimumPayment',
      'minimumPayment',
    ],
    ['an empty due date', { nextPaymentDate: '' }, 'nextPayment', 'nextPaymentDate'],
    ['a term of half a month', { loanTerm: 0.5 }, 'termMonths', 'loanTerm'],
    ['a rate of 2499 percent', { interestRate: 2499 }, 'interestRate', 'interestRate'],
    ['a rate that is a list', { interestRate: [4] }, 'interestRate', 'interestRate'],
    ['an escrow that is no number', { escrowBalance: 'none' }, 'escrow', 'escrowBalance'],
  ] as const)('loses %s alone, which is noted', (_, fields, member, field) => {
    const debt = debtOf('loan', { principalBalance: 10, ...fields });
    expect(debt[member]).toBeNull();
    expect(debt.balance?.toFixed()).toBe('10');
    expect(places()).toEqual([`value ${field}`]);
  });
});
