import { accountIdOf, accountsShownTo } from '../accounts/accounts.js';
import type { BankTransaction } from './bank-transaction.js';
import { customTransactions } from './custom-transactions.js';
import { dataKindOf, type Customer } from '../customers/customer.js';
import { isoDateOf } from './day-number.js';
import { dynamicTransactions } from './dynamic-transactions.js';
import type { ScriptedRow } from '../scripts/scripted-row.js';
import { generatedTransactions } from './generated-transactions.js';
import { scriptedTransactions } from './scripted-transactions.js';

/** The position of a row in a listing, newest day first. */
export interface RowPosition {
  bookingDate: string;
  transactionId: string;
}

export interface PageRequest {
  /** Day numbers, both included. */
  first: number;
  last: number;
  size: number;
  /** The last row of the previous page; null = from the newest. */
  after: RowPosition | null;
  /** Days of the fetches by `user_dynamic`. */
  fetchDays: readonly number[];
  /** Rows written by scripts. */
  scripted?: readonly ScriptedRow[];
}

export interface TransactionPage {
  transactions: BankTransaction[];
  /** The last row of this page, or null when it is the last page. */
  end: RowPosition | null;
}

/** Rows of a window that the permission covers, newest day first. */
export function transactionPage(
  customer: Customer,
  request: PageRequest,
  now: Date,
): TransactionPage {
  const { first, last, size, after } = request;
  const shown = new Set(accountsShownTo(customer).map((account) => accountIdOf(customer, account)));
  const [from, to] = [isoDateOf(first), isoDateOf(last)];
  const rows = [
    ...rowsOf(customer, request, now),
    ...scriptedTransactions(customer, request.scripted ?? []),
  ]
    .filter(
      (row) => row.booking_date >= from && row.booking_date <= to && shown.has(row.account_id),
    )
    .sort((a, b) => compare(positionOf(a), positionOf(b)))
    .filter((row) => after === null || compare(positionOf(row), after) > 0);
  const transactions = rows.slice(0, size);
  const end = transactions.at(-1);
  return { transactions, end: rows.length > size && end !== undefined ? positionOf(end) : null };
}

function rowsOf(
  customer: Customer,
  { first, last, fetchDays }: PageRequest,
  now: Date,
): BankTransaction[] {
  switch (dataKindOf(customer)) {
    case 'none':
      return [];
    case 'custom':
      return customTransactions(customer, now);
    case 'dynamic':
      return dynamicTransactions(customer, fetchDays);
    case 'generated':
      return generatedTransactions(customer, { first, last }, now);
  }
}

function positionOf(row: BankTransaction): RowPosition {
  return { bookingDate: row.booking_date, transactionId: row.transaction_id };
}

function compare(a: RowPosition, b: RowPosition): number {
  if (a.bookingDate !== b.bookingDate) return a.bookingDate > b.bookingDate ? -1 : 1;
  if (a.transactionId === b.transactionId) return 0;
  return a.transactionId < b.transactionId ? -1 : 1;
}
