import type { LiabilityKind } from '../liabilities/liability.js';
import type { PresentedLiability } from '../liabilities/present-liability.js';

type Rate = PresentedLiability['rates'][number];

const APR_TYPES = {
  purchase: 'purchase_apr',
  cash: 'cash_apr',
  balance_transfer: 'balance_transfer_apr',
  penalty: 'penalty_apr',
  special: 'special',
} as const satisfies Record<Rate['kind'], string>;

/** The names of Plaid's client, by ours; other frequencies have no name there. */
const FREQUENCIES: Readonly<Record<string, string>> = {
  daily: 'daily',
  weekly: 'weekly',
  biweekly: 'biweekly',
  semimonthly: 'semimonthly',
  semi_monthly: 'semimonthly',
  monthly: 'monthly',
  semiannually: 'semiannually',
  semiannual: 'semiannually',
  annually: 'annually',
  annual: 'annually',
};

const NO_ADDRESS = { city: null, country: null, postal_code: null, region: null, street: null };

function lastPayment({ last_payment: payment }: PresentedLiability) {
  return {
    last_payment_amount: payment?.amount ?? null,
    last_payment_date: payment?.date ?? null,
  };
}

function lastStatement({ statement }: PresentedLiability) {
  return {
    last_statement_balance: statement?.balance ?? null,
    last_statement_issue_date: statement?.date ?? null,
  };
}

function origination({ originated_on: date, principal }: PresentedLiability) {
  return {
    origination_date: date,
    origination_principal_amount: principal?.original ?? null,
  };
}

function yearToDate({ year_to_date: paid }: PresentedLiability) {
  return {
    ytd_interest_paid: paid?.interest ?? null,
    ytd_principal_paid: paid?.principal ?? null,
  };
}

const dueDate = (debt: PresentedLiability) => ({
  next_payment_due_date: debt.next_payment?.due_on ?? null,
});

const aprs = ({ rates }: PresentedLiability) =>
  rates.map(({ kind, percentage, balance, interest_charged: interest }) => ({
    apr_percentage: percentage,
    apr_type: APR_TYPES[kind],
    balance_subject_to_apr: balance,
    interest_charge_amount: interest,
  }));

function credit(debt: PresentedLiability) {
  return {
    account_id: debt.account_id,
    aprs: aprs(debt),
    is_overdue: debt.is_overdue,
    ...lastPayment(debt),
    ...lastStatement(debt),
    minimum_payment_amount: debt.minimum_payment,
    ...dueDate(debt),
  };
}

function mortgage(debt: PresentedLiability) {
  return {
    account_id: debt.account_id,
    account_number: null,
    current_late_fee: null,
    escrow_balance: debt.escrow,
    has_pmi: null,
    has_prepayment_penalty: null,
    interest_rate: debt.interest_rate ?? { percentage: null, type: null },
    ...lastPayment(debt),
    loan_type_description: null,
    loan_term: termOf(debt.term_months),
    maturity_date: debt.matures_on,
    next_monthly_payment: debt.next_payment?.amount ?? null,
    ...dueDate(debt),
    ...origination(debt),
    past_due_amount: debt.past_due,
    property_address: NO_ADDRESS,
    ...yearToDate(debt),
  };
}

function student(debt: PresentedLiability, rate: number) {
  return {
    account_id: debt.account_id,
    account_number: null,
    disbursement_dates: null,
    expected_payoff_date: debt.matures_on,
    guarantor: null,
    interest_rate_percentage: rate,
    is_overdue: debt.is_overdue,
    ...lastPayment(debt),
    ...lastStatement(debt),
    loan_name: null,
    loan_status: { end_date: null, type: 'other' },
    minimum_payment_amount: debt.minimum_payment,
    ...dueDate(debt),
    ...origination(debt),
    outstanding_interest_amount: null,
    payment_reference_number: null,
    pslf_status: {
      estimated_eligibility_date: null,
      payments_made: null,
      payments_remaining: null,
    },
    repayment_plan: { description: null, type: 'other' },
    sequence_number: null,
    servicer_address: NO_ADDRESS,
    ...yearToDate(debt),
  };
}

function loan(debt: PresentedLiability) {
  const frequency = debt.payment_frequency ?? '';
  return {
    account_id: debt.account_id,
    account_number: null,
    interest_rate: debt.interest_rate,
    principal_balance: debt.principal?.outstanding ?? null,
    ...origination(debt),
    loan_term_months: debt.term_months,
    maturity_date: debt.matures_on,
    payment_count: debt.payments_total,
    payment_frequency: Object.hasOwn(FREQUENCIES, frequency) ? FREQUENCIES[frequency] : null,
    next_payment_amount: debt.next_payment?.amount ?? null,
    ...dueDate(debt),
    ...lastPayment(debt),
    payoff_amount: debt.payoff_amount,
    ytd_interest_paid: debt.year_to_date?.interest ?? null,
    compounding_period: null,
  };
}

function lineOfCredit(debt: PresentedLiability) {
  return {
    account_id: debt.account_id,
    interest_rate: debt.interest_rate,
    credit_limit: debt.limit,
    available_credit: debt.available,
    principal_balance: debt.principal?.outstanding ?? null,
    minimum_payment_amount: debt.minimum_payment,
    next_payment_amount: debt.next_payment?.amount ?? null,
    ...dueDate(debt),
    ...lastPayment(debt),
    ...lastStatement(debt),
    past_due_amount: debt.past_due,
    finance_charges: null,
    draw_period_end_date: null,
    aprs: aprs(debt),
  };
}

export type PlaidDebt = { account_id: string } & Readonly<Record<string, unknown>>;

/**
 * A debt as Plaid shows those of its kind; null for a student loan of unknown rate, which Plaid's
 * typed clients refuse. Source: plaid-compat 6.8.
 */
export function plaidDebt(debt: PresentedLiability): PlaidDebt | null {
  switch (debt.kind) {
    case 'credit':
      return credit(debt);
    case 'mortgage':
      return mortgage(debt);
    case 'student':
      return debt.interest_rate === null ? null : student(debt, debt.interest_rate.percentage);
    case 'loan':
      return loan(debt);
    case 'line_of_credit':
      return lineOfCredit(debt);
  }
}

/** Lists by kind; null = there is none of this kind. Source: plaid-compat 6.8. */
export function plaidLiabilities(
  debts: readonly PresentedLiability[],
): Record<LiabilityKind, PlaidDebt[] | null> {
  const of = (kind: LiabilityKind) => {
    const shown = debts
      .filter((debt) => debt.kind === kind)
      .flatMap((debt) => plaidDebt(debt) ?? []);
    return shown.length === 0 ? null : shown;
  };
  return {
    credit: of('credit'),
    mortgage: of('mortgage'),
    student: of('student'),
    loan: of('loan'),
    line_of_credit: of('line_of_credit'),
  };
}

/** `30 year`, as Plaid writes a term; months where it has no whole years. */
function termOf(months: number | null): string | null {
  if (months === null) return null;
  return months % 12 === 0 ? `${months / 12} year` : `${months} month`;
}
