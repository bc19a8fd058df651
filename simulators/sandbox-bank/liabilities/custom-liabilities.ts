import { accountIdOf, accountsHeldBy, type BankAccount } from '../accounts/accounts.js';
import type { CustomLiability } from '../customers/custom-portfolio.js';
import type { Customer } from '../customers/customer.js';
import type { ProductCode } from '../institutions/product-codes.js';
import type { BankLiability } from './bank-liability.js';

const KIND_OF: Readonly<Partial<Record<ProductCode, BankLiability['kind']>>> = {
  CREDIT_CARD: 'CARD',
  LINE_OF_CREDIT: 'LINE_OF_CREDIT',
  MORTGAGE: 'MORTGAGE',
  STUDENT_LOAN: 'STUDENT_LOAN',
  LOAN: 'LOAN',
  OTHER_CREDIT: 'LOAN',
};
const RATE_KIND_OF = {
  purchase: 'PURCHASE',
  cash: 'CASH',
  balance_transfer: 'BALANCE_TRANSFER',
  penalty: 'PENALTY',
  special: 'SPECIAL',
} as const;
const RATE_TYPE_OF = { fixed: 'FIXED', variable: 'VARIABLE' } as const;

/**
 * The debts of `user_custom`, with the balances of their accounts as far as they have none of their
 * own. Source: link-lifecycle 13.4.
 * @param accounts that the permission covers
 */
export function customLiabilities(
  customer: Customer,
  accounts: readonly BankAccount[],
): BankLiability[] {
  const held = accountsHeldBy(customer);
  return (customer.customData?.liabilities ?? []).flatMap((given) => {
    const template = held[given.account];
    const id = template && accountIdOf(customer, template);
    const account = accounts.find(({ account_id }) => account_id === id);
    const kind = account && KIND_OF[account.product];
    return account === undefined || kind === undefined ? [] : [toDebt(given, { account, kind })];
  });
}

function toDebt(
  given: CustomLiability,
  { account, kind }: { account: BankAccount; kind: BankLiability['kind'] },
): BankLiability {
  const { current, available, credit_limit } = account.balances;
  const { interest_rate: rate } = given;
  return {
    account_id: account.account_id,
    kind,
    currency: account.currency,
    balance: given.balance ?? current,
    credit_limit: given.limit ?? credit_limit,
    available_credit: given.available ?? available,
    statement: given.statement,
    minimum_payment: given.minimum_payment,
    next_payment: given.next_payment,
    last_payment: given.last_payment,
    past_due: given.past_due,
    is_overdue: given.is_overdue,
    rates: given.rates.map(({ kind: of, percentage, balance, interest_charged }) => ({
      kind: RATE_KIND_OF[of],
      apr: percentage,
      balance,
      interest: interest_charged,
    })),
    interest_rate: rate && {
      percentage: rate.percentage,
      type: rate.type && RATE_TYPE_OF[rate.type],
    },
    original_principal: given.principal?.original ?? null,
    outstanding_principal: given.principal?.outstanding ?? null,
    originated_on: given.originated_on,
    matures_on: given.matures_on,
    term_months: given.term_months,
    payments_total: given.payments_total,
    payment_frequency: given.payment_frequency,
    escrow_balance: given.escrow,
    payoff_amount: given.payoff_amount,
    year_to_date: given.year_to_date,
  };
}
