import { JsonNumber, type FdxValue } from './json-number.js';

type Details = Readonly<Record<string, FdxValue>>;

const number = (text: string): JsonNumber => new JsonNumber(text);

/** The same day of a month, a number of months later. */
function dayInMonth(now: Date, months: number, day: number): string {
  const time = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day);
  return new Date(time).toISOString().slice(0, 10);
}

/** A card has a statement on the first of the month, and a payment due on the 26th. */
export const cardStatement = (now: Date): Details => ({
  lastStmtDate: dayInMonth(now, 0, 1),
  lastStmtBalance: number('312.40'),
  minimumPaymentAmount: number('25.00'),
  nextPaymentDate: dayInMonth(now, 0, 26),
  nextPaymentAmount: number('312.40'),
  lastPaymentDate: dayInMonth(now, -1, 26),
  lastPaymentAmount: number('180.15'),
  pastDueAmount: number('0.00'),
  purchasesApr: number('24.99'),
  advancesApr: number('29.99'),
});

export const creditLine = (now: Date): Details => ({
  currentBalance: number('1250.00'),
  availableCredit: number('8750.00'),
  creditLine: number('10000.00'),
  lastStmtDate: dayInMonth(now, 0, 1),
  lastStmtBalance: number('1250.00'),
  minimumPaymentAmount: number('35.00'),
  nextPaymentDate: dayInMonth(now, 1, 1),
  purchasesApr: number('11.49'),
});

export const mortgage = (now: Date): Details => ({
  principalBalance: number('214300.18'),
  originalPrincipal: number('240000.00'),
  interestRate: number('6.75'),
  interestRateType: 'FIXED',
  loanTerm: number('360'),
  totalNumberOfPayments: number('360'),
  paymentFrequency: 'MONTHLY',
  nextPaymentDate: dayInMonth(now, 1, 1),
  nextPaymentAmount: number('1587.44'),
  lastPaymentDate: dayInMonth(now, 0, 1),
  lastPaymentAmount: number('1587.44'),
  escrowBalance: number('1203.55'),
  payoffAmount: number('214980.03'),
  originatingDate: '2021-06-01',
  maturityDate: '2051-06-01',
  interestPaidYearToDate: number('13250.71'),
});

/** With the other spelling of the amount that pays it off. */
export const studentLoan = (now: Date): Details => ({
  principalBalance: number('18240.77'),
  originalPrincipal: number('32000.00'),
  interestRate: number('4.53'),
  interestRateType: 'VARIABLE',
  loanTerm: number('120'),
  paymentFrequency: 'MONTHLY',
  lastStmtDate: dayInMonth(now, 0, 1),
  lastStmtBalance: number('18240.77'),
  minimumPaymentAmount: number('332.10'),
  nextPaymentDate: dayInMonth(now, 0, 28),
  nextPaymentAmount: number('332.10'),
  pastDueAmount: number('0.00'),
  payOffAmount: number('18263.40'),
  originatingDate: '2019-09-01',
  maturityDate: '2029-09-01',
});
