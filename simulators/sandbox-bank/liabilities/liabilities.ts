import type { BankLiability } from './bank-liability.js';
import type { BankAccount } from '../accounts/accounts.js';
import { accountIdOf, accountsShownTo } from '../accounts/accounts.js';
import { dataKindOf, dataSeedOf, type Customer } from '../customers/customer.js';
import { isoDateOf } from '../transactions/day-number.js';
import { customLiabilities } from './custom-liabilities.js';
import { cardStatementsOn } from './card-statement.js';
import { loanOn, type LoanTerms } from './loan.js';

const MORTGAGE: LoanTerms = {
  principal: '240000.00',
  rate: '6.75',
  months: 360,
  originatedOn: '2021-06-15',
  firstDue: { year: 2021, month: 8 },
  escrow: '310.00',
};
const STUDENT_LOAN: LoanTerms = {
  principal: '28000.00',
  rate: '4.99',
  months: 120,
  originatedOn: '2022-09-01',
  firstDue: { year: 2023, month: 1 },
  escrow: null,
};

/** The debts that the permission covers, with the balances of their accounts. */
export function liabilitiesOf(
  customer: Customer,
  accounts: readonly BankAccount[],
  today: number,
): BankLiability[] {
  if (dataKindOf(customer) === 'custom') return customLiabilities(customer, accounts);
  const byId = new Map(accounts.map((account) => [account.account_id, account]));
  return accountsShownTo(customer).flatMap((template) => {
    const account = byId.get(accountIdOf(customer, template));
    if (account === undefined) return [];
    switch (template.product) {
      case 'CREDIT_CARD':
        return [cardDebt(customer, account, today)];
      case 'MORTGAGE':
        return [loanDebt(account, { kind: 'MORTGAGE', terms: MORTGAGE, today })];
      case 'STUDENT_LOAN':
        return [loanDebt(account, { kind: 'STUDENT_LOAN', terms: STUDENT_LOAN, today })];
      default:
        return [];
    }
  });
}

/** Gives the accounts of loans the balance that is still owed. */
export function withOwedBalances(
  accounts: readonly BankAccount[],
  liabilities: readonly BankLiability[],
): BankAccount[] {
  return accounts.map((account) => {
    const debt = liabilities.find(({ account_id: id }) => id === account.account_id);
    return debt === undefined
      ? account
      : { ...account, balances: { ...account.balances, current: debt.balance } };
  });
}

const NOTHING: Omit<BankLiability, 'account_id' | 'kind' | 'currency'> = {
  balance: null,
  credit_limit: null,
  available_credit: null,
  statement: null,
  minimum_payment: null,
  next_payment: null,
  last_payment: null,
  past_due: '0.00',
  is_overdue: false,
  rates: [],
  interest_rate: null,
  original_principal: null,
  outstanding_principal: null,
  originated_on: null,
  matures_on: null,
  term_months: null,
  payments_total: null,
  payment_frequency: null,
  escrow_balance: null,
  payoff_amount: null,
  year_to_date: null,
};

/** A statement is paid completely on the day on which it is due. */
function cardDebt(customer: Customer, account: BankAccount, today: number): BankLiability {
  const { newest, previous } = cardStatementsOn(dataSeedOf(customer), today);
  const isPaid = newest.dueOn <= today;
  const paid = isPaid ? newest : previous;
  const { current, credit_limit, available } = account.balances;
  return {
    ...NOTHING,
    account_id: account.account_id,
    kind: 'CARD',
    currency: account.currency,
    balance: current,
    credit_limit,
    available_credit: available,
    statement: { date: isoDateOf(newest.date), balance: newest.balance },
    minimum_payment: isPaid ? '0.00' : newest.minimumPayment,
    next_payment: isPaid
      ? null
      : { due_on: isoDateOf(newest.dueOn), amount: newest.minimumPayment },
    last_payment: { date: isoDateOf(paid.dueOn), amount: paid.balance },
    rates: [
      { kind: 'PURCHASE', apr: '24.99', balance: newest.balance, interest: '0.00' },
      { kind: 'CASH', apr: '29.99', balance: '0.00', interest: '0.00' },
    ],
  };
}

function loanDebt(
  { account_id, currency }: BankAccount,
  { kind, terms, today }: { kind: BankLiability['kind']; terms: LoanTerms; today: number },
): BankLiability {
  const loan = loanOn(terms, today);
  const payment = loan.payment.toFixed(2);
  const outstanding = loan.outstanding.toFixed(2);
  return {
    ...NOTHING,
    account_id,
    kind,
    currency,
    balance: outstanding,
    minimum_payment: loan.nextDueOn === null ? '0.00' : payment,
    next_payment:
      loan.nextDueOn === null ? null : { due_on: isoDateOf(loan.nextDueOn), amount: payment },
    last_payment:
      loan.lastPaidOn === null ? null : { date: isoDateOf(loan.lastPaidOn), amount: payment },
    interest_rate: { percentage: terms.rate, type: 'FIXED' },
    original_principal: terms.principal,
    outstanding_principal: outstanding,
    originated_on: terms.originatedOn,
    matures_on: isoDateOf(loan.maturesOn),
    term_months: terms.months,
    payments_total: terms.months,
    payment_frequency: 'MONTHLY',
    escrow_balance: loan.escrow?.toFixed(2) ?? null,
    payoff_amount: loan.payoff.toFixed(2),
    year_to_date: {
      interest: loan.yearToDate.interest.toFixed(2),
      principal: loan.yearToDate.principal.toFixed(2),
    },
  };
}
