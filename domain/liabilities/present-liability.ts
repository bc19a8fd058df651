import type { Decimal } from 'decimal.js';
import { jsonNumber, jsonNumberOrNull } from '../api/money.js';
import type { FetchedLiability, LiabilityKind, LiabilityRate } from './liability.js';

/** The public JSON of a debt, read with the numbers of JavaScript. Source: native-api 4.16. */
export interface PresentedLiability {
  account_id: string;
  kind: LiabilityKind;
  currency: string;
  balance: number | null;
  limit: number | null;
  available: number | null;
  statement: { date: string | null; balance: number | null } | null;
  minimum_payment: number | null;
  next_payment: { due_on: string | null; amount: number | null } | null;
  last_payment: { date: string | null; amount: number | null } | null;
  past_due: number | null;
  is_overdue: boolean | null;
  rates: {
    kind: LiabilityRate['kind'];
    percentage: number;
    balance: number | null;
    interest_charged: number | null;
  }[];
  interest_rate: { percentage: number; type: 'fixed' | 'variable' | null } | null;
  principal: { original: number | null; outstanding: number | null } | null;
  originated_on: string | null;
  matures_on: string | null;
  term_months: number | null;
  payments_total: number | null;
  payment_frequency: string | null;
  escrow: number | null;
  payoff_amount: number | null;
  year_to_date: { interest: number | null; principal: number | null } | null;
}

/**
 * The public JSON of a debt as text, because a JavaScript number cannot hold every decimal. Every
 * field is sent: an unknown one is null, and so is an object of which nothing is known. Source:
 * native-api 4.16.
 */
export function renderLiability(accountId: string, debt: FetchedLiability): string {
  return object<keyof PresentedLiability>({
    account_id: json(accountId),
    kind: json(debt.kind),
    currency: json(debt.currency),
    balance: jsonNumberOrNull(debt.balance),
    limit: jsonNumberOrNull(debt.limit),
    available: jsonNumberOrNull(debt.available),
    statement: known({
      date: json(debt.statement?.date ?? null),
      balance: amount(debt.statement?.balance),
    }),
    minimum_payment: jsonNumberOrNull(debt.minimumPayment),
    next_payment: known({
      due_on: json(debt.nextPayment?.dueOn ?? null),
      amount: amount(debt.nextPayment?.amount),
    }),
    last_payment: known({
      date: json(debt.lastPayment?.date ?? null),
      amount: amount(debt.lastPayment?.amount),
    }),
    past_due: jsonNumberOrNull(debt.pastDue),
    is_overdue: json(debt.isOverdue),
    rates: `[${debt.rates.map(renderRate).join(',')}]`,
    interest_rate:
      debt.interestRate === null
        ? 'null'
        : object({
            percentage: jsonNumber(debt.interestRate.percentage),
            type: json(debt.interestRate.type),
          }),
    principal: known({
      original: amount(debt.principal?.original),
      outstanding: amount(debt.principal?.outstanding),
    }),
    originated_on: json(debt.originatedOn),
    matures_on: json(debt.maturesOn),
    term_months: json(debt.termMonths),
    payments_total: json(debt.paymentsTotal),
    payment_frequency: json(debt.paymentFrequency),
    escrow: jsonNumberOrNull(debt.escrow),
    payoff_amount: jsonNumberOrNull(debt.payoffAmount),
    year_to_date: known({
      interest: amount(debt.yearToDate?.interest),
      principal: amount(debt.yearToDate?.principal),
    }),
  });
}

function renderRate(rate: LiabilityRate): string {
  return object({
    kind: json(rate.kind),
    percentage: jsonNumber(rate.percentage),
    balance: jsonNumberOrNull(rate.balance),
    interest_charged: jsonNumberOrNull(rate.interestCharged),
  });
}

/** Members are JSON already. */
function object<Name extends string>(members: Readonly<Record<Name, string>>): string {
  return `{${Object.entries(members)
    .map(([name, value]) => `"${name}":${String(value)}`)
    .join(',')}}`;
}

function known(members: Readonly<Record<string, string>>): string {
  return Object.values(members).every((value) => value === 'null') ? 'null' : object(members);
}

const json = (value: string | number | boolean | null): string => JSON.stringify(value);
const amount = (value: Decimal | null | undefined): string => jsonNumberOrNull(value ?? null);
