import type { Decimal } from 'decimal.js';
import { cents, Exact, ZERO } from '../accounts/figures.js';
import { dayOf } from '../transactions/day-number.js';

/** A loan with equal installments, due on the first of each month. Rates are percent a year. */
export interface LoanTerms {
  principal: string;
  rate: string;
  months: number;
  originatedOn: string;
  firstDue: { year: number; month: number };
  /** Paid into escrow with each installment, and out of it at the end of a year; null = no escrow. */
  escrow: string | null;
}

/** A loan on a day. Days are numbers since 1970-01-01. */
export interface LoanState {
  payment: Decimal;
  outstanding: Decimal;
  lastPaidOn: number | null;
  /** Null = it is paid off. */
  nextDueOn: number | null;
  maturesOn: number;
  escrow: Decimal | null;
  payoff: Decimal;
  yearToDate: { interest: Decimal; principal: Decimal };
}

/** Every installment is paid on the day on which it is due. */
export function loanOn(terms: LoanTerms, today: number): LoanState {
  const { months, firstDue } = terms;
  const monthlyRate = new Exact(terms.rate).dividedBy(1_200);
  const payment = installmentOf(terms);
  const dueOn = (place: number) => dayOf(firstDue.year, firstDue.month + place, 1);
  const thisYear = yearOf(today);
  let outstanding: Decimal = new Exact(terms.principal);
  let paid = 0;
  const yearToDate = { interest: ZERO, principal: ZERO };
  for (; paid < months && dueOn(paid) <= today; paid += 1) {
    const interest = cents(outstanding.times(monthlyRate));
    const isLast = paid === months - 1;
    const principal = isLast ? outstanding : payment.minus(interest);
    outstanding = outstanding.minus(principal);
    if (yearOf(dueOn(paid)) !== thisYear) continue;
    yearToDate.interest = yearToDate.interest.plus(interest);
    yearToDate.principal = yearToDate.principal.plus(principal);
  }
  const lastPaidOn = paid === 0 ? null : dueOn(paid - 1);
  const accrued = outstanding
    .times(terms.rate)
    .dividedBy(36_500)
    .times(lastPaidOn === null ? 0 : today - lastPaidOn);
  return {
    payment,
    outstanding,
    lastPaidOn,
    nextDueOn: paid < months ? dueOn(paid) : null,
    maturesOn: dueOn(months - 1),
    escrow:
      terms.escrow === null
        ? null
        : new Exact(terms.escrow).times(new Date(today * 86_400_000).getUTCMonth() + 1),
    payoff: outstanding.plus(cents(accrued)),
    yearToDate,
  };
}

function installmentOf({ principal, rate, months }: LoanTerms): Decimal {
  const monthlyRate = new Exact(rate).dividedBy(1_200);
  const discount = new Exact(1).minus(monthlyRate.plus(1).pow(-months));
  return cents(new Exact(principal).times(monthlyRate).dividedBy(discount));
}

const yearOf = (day: number): number => new Date(day * 86_400_000).getUTCFullYear();
