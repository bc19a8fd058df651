import type { Customer } from './customer.js';
import { transactionOnDay, type BankTransaction } from './transactions.js';

/** Day numbers, both included. */
export interface PageRequest {
  first: number;
  last: number;
  size: number;
}

export interface TransactionPage {
  transactions: BankTransaction[];
  /** The day the next page ends at, or null when this is the last page. */
  nextLast: number | null;
}

/** Rows of a window, newest day first. */
export function transactionPage(customer: Customer, { first, last, size }: PageRequest, now: Date): TransactionPage {
  const transactions: BankTransaction[] = [];
  for (let day = last; day >= first; day -= 1) {
    const transaction = transactionOnDay(customer, day, now);
    if (transaction === null) continue;
    if (transactions.length === size) return { transactions, nextLast: day };
    transactions.push(transaction);
  }
  return { transactions, nextLast: null };
}
