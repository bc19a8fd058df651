import type { SearchedRow } from './recurring-row.js';

const MAX_DAYS = 3;

/** Whether another account of the link has the opposite row of a transfer within three days. */
export function ownTransfers(rows: readonly SearchedRow[]): (row: SearchedRow) => boolean {
  const accounts = new Map<string, Set<string>>();
  for (const row of rows) {
    const name = nameOf(row, row.type, row.day);
    accounts.set(name, (accounts.get(name) ?? new Set()).add(row.accountId));
  }
  return (row) => {
    const opposite = row.type === 'debit' ? 'credit' : 'debit';
    for (let day = row.day - MAX_DAYS; day <= row.day + MAX_DAYS; day += 1) {
      const found = accounts.get(nameOf(row, opposite, day));
      if (found !== undefined && (found.size > 1 || !found.has(row.accountId))) return true;
    }
    return false;
  };
}

function nameOf({ amount, currency }: SearchedRow, type: SearchedRow['type'], day: number): string {
  return `${type} ${amount} ${currency} ${day}`;
}
