import { accountIdOf, accountsShownTo, type BankAccount } from './accounts.js';
import type { Customer } from '../customers/customer.js';
import { ownersOf } from './owners.js';

/** The identification of an account; the bank includes it in the listing on request. */
export const ACCOUNT_MARKS = ['numbers', 'holders'] as const;
export type AccountMark = (typeof ACCOUNT_MARKS)[number];

export interface MarkedAccount extends BankAccount {
  /** Null for an account without one. */
  account_number?: string | null;
  holder_names?: string[];
}

export function withMarks(
  accounts: readonly BankAccount[],
  customer: Customer,
  wanted: readonly AccountMark[],
): MarkedAccount[] {
  const numbers = new Map(
    accountsShownTo(customer).map((account) => [
      accountIdOf(customer, account),
      account.number?.accountNumber ?? null,
    ]),
  );
  const owners = wanted.includes('holders') ? ownersOf(customer) : [];
  return accounts.map((account) => ({
    ...account,
    ...(wanted.includes('numbers')
      ? { account_number: numbers.get(account.account_id) ?? null }
      : {}),
    ...(wanted.includes('holders')
      ? {
          holder_names: owners
            .filter(({ account_ids: ids }) => ids.includes(account.account_id))
            .flatMap(({ names }) => names),
        }
      : {}),
  }));
}
