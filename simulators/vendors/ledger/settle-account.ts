import type { Account } from './ledger.types.js';
import { addMoney } from './money.js';

/**
 * Sorts the rows and computes their consequences: running balances, the current
 * balance and the available amount. Pending rows lower only the available amount.
 */
export function settleAccount(account: Account): void {
  account.rows.sort((a, b) => (a.instant < b.instant ? -1 : a.instant > b.instant ? 1 : 0));
  let balance = account.openingBalance;
  for (const row of account.rows) {
    if (row.status === 'posted') balance = addMoney(balance, row.amount);
    row.runningBalance = row.status === 'posted' ? balance : null;
  }
  const pending = account.rows.filter(({ status }) => status === 'pending');
  const { limit } = account.balances;
  const available = addMoney(balance, limit ?? '0', ...pending.map(({ amount }) => amount));
  account.balances = {
    current: balance,
    available: account.type === 'loan' ? null : available,
    limit,
  };
}
