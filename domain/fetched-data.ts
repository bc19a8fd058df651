import type { Decimal } from 'decimal.js';

/** Days, inclusive, `YYYY-MM-DD`. */
export interface DayWindow {
  from: string;
  to: string;
}

/** An account as a provider brings it, ready to be stored. */
export interface FetchedAccount {
  providerAccountId: string;
  accountType: string;
  name: string;
  mask: string | null;
  currency: string;
  available: Decimal | null;
  current: Decimal | null;
  limit: Decimal | null;
  balanceDate: Date | null;
}

/** A transaction as a provider brings it, ready to be stored. */
export interface FetchedTransaction {
  providerTransactionId: string;
  providerAccountId: string;
  /** Never negative; direction is in `type`. */
  amount: Decimal;
  type: 'debit' | 'credit';
  currency: string;
  date: string;
  datetime: string | null;
  description: string | null;
  rawDescription: string | null;
  pending: boolean;
  category: string | null;
}
