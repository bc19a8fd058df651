import { accountIdOf, accountsShownTo } from '../accounts/accounts.js';
import type { BankTransaction } from './bank-transaction.js';
import { customTransactions } from './custom-transactions.js';
import { dataKindOf, type Customer } from '../customers/customer.js';
import { dynamicTransactions } from './dynamic-transactions.js';
import type { ScriptedRow } from '../scripts/scripted-row.js';
import { pageOf, type RowPage, type RowWindow } from './row-page.js';
import { generatedTransactions } from './generated-transactions.js';
import { scriptedTransactions } from './scripted-transactions.js';

export interface PageRequest extends RowWindow {
  /** Days of the fetches by `user_dynamic`. */
  fetchDays: readonly number[];
  /** Rows written by scripts. */
  scripted?: readonly ScriptedRow[];
}

/** Rows of a window that the permission covers, newest day first. */
export function transactionPage(
  customer: Customer,
  request: PageRequest,
  now: Date,
): RowPage<BankTransaction> {
  const shown = new Set(accountsShownTo(customer).map((account) => accountIdOf(customer, account)));
  const rows = [
    ...rowsOf(customer, request, now),
    ...scriptedTransactions(customer, request.scripted ?? []),
  ];
  return pageOf(
    rows.filter((row) => shown.has(row.account_id)),
    request,
  );
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
