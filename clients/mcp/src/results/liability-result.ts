import type { Liability } from '@tributary/node';
import { untrustedText } from './untrusted-text.js';

/** A debt; the frequency of its payments is a text of the bank. */
export function liabilityResult({ payment_frequency, ...debt }: Liability) {
  return {
    account_id: debt.account_id,
    kind: debt.kind,
    currency: debt.currency,
    balance: debt.balance,
    limit: debt.limit,
    available: debt.available,
    statement: debt.statement,
    minimum_payment: debt.minimum_payment,
    next_payment: debt.next_payment,
    last_payment: debt.last_payment,
    past_due: debt.past_due,
    is_overdue: debt.is_overdue,
    rates: debt.rates,
    interest_rate: debt.interest_rate,
    principal: debt.principal,
    originated_on: debt.originated_on,
    matures_on: debt.matures_on,
    term_months: debt.term_months,
    payments_total: debt.payments_total,
    untrusted_payment_frequency: untrustedText(payment_frequency),
    escrow: debt.escrow,
    payoff_amount: debt.payoff_amount,
    year_to_date: debt.year_to_date,
  };
}
