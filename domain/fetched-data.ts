import type { Decimal } from 'decimal.js';
import type { AccountNumbers } from './account-numbers.js';
import type { Owner } from './account-owner.js';

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

/** The numbers of one account as a provider brings them. */
export interface FetchedAccountNumbers {
  providerAccountId: string;
  numbers: AccountNumbers;
}

/** The owners of one account as a provider brings them. */
export interface FetchedAccountOwners {
  providerAccountId: string;
  owners: readonly Owner[];
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
  /** The id it had while it was pending, where the provider changes it and says so. */
  replaces?: string | null;
}
