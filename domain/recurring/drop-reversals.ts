import type { SearchedRow } from './recurring-row.js';

const MAX_DAYS = 10;

/** The rows of a counterparty without those that it returned soon after, and without the returns. */
export function dropReversals(rows: readonly SearchedRow[]): SearchedRow[] {
  const dropped = new Set<SearchedRow>();
  const open = new Map<string, SearchedRow[]>();
  for (const row of rows) {
    const opposite = open.get(nameOf(row, row.type === 'debit' ? 'credit' : 'debit')) ?? [];
    const returned = opposite.pop();
    if (returned !== undefined && row.day - returned.day <= MAX_DAYS) {
      dropped.add(row).add(returned);
      continue;
    }
    const own = nameOf(row, row.type);
    open.set(own, [...(open.get(own) ?? []).slice(-1), row]);
  }
  return rows.filter((row) => !dropped.has(row));
}

function nameOf({ amount, currency }: SearchedRow, type: SearchedRow['type']): string {
  return `${type} ${amount} ${currency}`;
}
