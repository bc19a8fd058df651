/** A debt in the bank's API. Money is an exact decimal in a string, owed positive; rates are percent a year. */
export interface BankLiability {
  account_id: string;
  kind: 'CARD' | 'LINE_OF_CREDIT' | 'MORTGAGE' | 'STUDENT_LOAN' | 'LOAN';
  currency: string;
  balance: string | null;
  credit_limit: string | null;
  available_credit: string | null;
  statement: { date: string | null; balance: string | null } | null;
  minimum_payment: string | null;
  next_payment: { due_on: string | null; amount: string | null } | null;
  last_payment: { date: string | null; amount: string | null } | null;
  past_due: string | null;
  is_overdue: boolean | null;
  rates: {
    kind: 'PURCHASE' | 'CASH' | 'BALANCE_TRANSFER' | 'PENALTY' | 'SPECIAL';
    apr: string;
    balance: string | null;
    interest: string | null;
  }[];
  interest_rate: { percentage: string; type: 'FIXED' | 'VARIABLE' | null } | null;
  original_principal: string | null;
  outstanding_principal: string | null;
  originated_on: string | null;
  matures_on: string | null;
  term_months: number | null;
  payments_total: number | null;
  payment_frequency: string | null;
  escrow_balance: string | null;
  payoff_amount: string | null;
  year_to_date: { interest: string | null; principal: string | null } | null;
}
