import type { Decimal } from 'decimal.js';

/** The kinds of a debt. Source: native-api 3.15. */
export const LIABILITY_KINDS = ['credit', 'line_of_credit', 'mortgage', 'student', 'loan'] as const;
export type LiabilityKind = (typeof LIABILITY_KINDS)[number];

/**
 * A debt as a source reports it. Money is owed positive: a credit in the customer's favor is
 * negative. Rates are percent per year. Every unknown value is null; zero is a statement.
 */
export interface FetchedLiability {
  providerAccountId: string;
  kind: LiabilityKind;
  currency: string;
  balance: Decimal | null;
  limit: Decimal | null;
  available: Decimal | null;
  /** Of credit, line_of_credit and student. */
  statement: { date: string | null; balance: Decimal | null } | null;
  minimumPayment: Decimal | null;
  nextPayment: { dueOn: string | null; amount: Decimal | null } | null;
  lastPayment: { date: string | null; amount: Decimal | null } | null;
  pastDue: Decimal | null;
  isOverdue: boolean | null;
  /** Of credit and line_of_credit. */
  rates: readonly LiabilityRate[];
  /** Of mortgage, student and loan. */
  interestRate: { percentage: Decimal; type: 'fixed' | 'variable' | null } | null;
  principal: { original: Decimal | null; outstanding: Decimal | null } | null;
  originatedOn: string | null;
  maturesOn: string | null;
  termMonths: number | null;
  paymentsTotal: number | null;
  /** As the source names it, in lower case with underscores: `monthly`, `biweekly`. */
  paymentFrequency: string | null;
  escrow: Decimal | null;
  payoffAmount: Decimal | null;
  yearToDate: { interest: Decimal | null; principal: Decimal | null } | null;
}

/** A debt of which a source states nothing but its account. */
export const UNSTATED_DEBT = {
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
} as const satisfies Omit<FetchedLiability, 'providerAccountId' | 'kind' | 'currency'>;

/** Source: native-api 3.15. */
export const LIABILITY_RATE_KINDS = [
  'purchase',
  'cash',
  'balance_transfer',
  'penalty',
  'special',
] as const;

export interface LiabilityRate {
  kind: (typeof LIABILITY_RATE_KINDS)[number];
  percentage: Decimal;
  /** The part of the balance to which the rate applies. */
  balance: Decimal | null;
  interestCharged: Decimal | null;
}
