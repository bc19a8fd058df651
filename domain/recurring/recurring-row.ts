/** A current transaction of a link, as far as recurring payments need it. */
export interface RecurringRow {
  transactionId: string;
  accountId: string;
  /** Exact decimal text, never negative. */
  amount: string;
  type: 'debit' | 'credit';
  currency: string;
  /** `YYYY-MM-DD`. */
  date: string;
  pending: boolean;
  description: string | null;
  category: string | null;
  merchantName: string | null;
  counterpartyName: string | null;
  counterpartyMask: string | null;
  mandate: string | null;
  creditorReference: string | null;
}

/** What a search keeps of a row. */
export interface SearchedRow extends RecurringRow {
  /** Days since 1970-01-01. */
  day: number;
  /** For ratios alone; results carry the text. */
  size: number;
}

export function oldestFirst(one: SearchedRow, other: SearchedRow): number {
  return one.day - other.day || compare(one.transactionId, other.transactionId);
}

/** By code units, as ids are ordered everywhere: a locale would decide otherwise. */
export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
