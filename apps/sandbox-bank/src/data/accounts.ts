import { derivedId, type Customer } from './customer.js';
import type { AccountTemplate } from './institutions.js';

/** An account as the bank's API shows it. Money is an exact decimal in a string. */
export interface BankAccount {
  account_id: string;
  product: AccountTemplate['product'];
  display_name: string;
  number_last4: string;
  currency: string;
  balances: { available: string; current: string; credit_limit: string | null; as_of: string };
}

export function accountIdOf(customer: Pick<Customer, 'connectionId'>, template: AccountTemplate): string {
  return derivedId('acct', customer, template.key);
}

export function accountsOf(customer: Customer, now: Date): BankAccount[] {
  return customer.institution.accounts.map((template) => ({
    account_id: accountIdOf(customer, template),
    product: template.product,
    display_name: template.displayName,
    number_last4: template.numberLast4,
    currency: template.currency,
    balances: {
      available: template.available,
      current: template.current,
      credit_limit: template.creditLimit,
      as_of: now.toISOString(),
    },
  }));
}
