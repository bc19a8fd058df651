import type { Decimal } from 'decimal.js';
import type { AccountMarks } from '../accounts/account-marks.js';
import type { AccountNumbers } from '../accounts/account-numbers.js';
import type { Owner } from '../accounts/account-owner.js';

/** Days, inclusive, `YYYY-MM-DD`. */
export interface DayWindow {
  from: string;
  to: string;
}

/** An account as a provider brings it, ready to be stored. */
export interface FetchedAccount {
  /** The provider's id, stable for this permission. */
  providerAccountId: string;
  /** One of account-types.ts. */
  accountType: string;
  name: string;
  mask: string | null;
  currency: string;
  available: Decimal | null;
  current: Decimal | null;
  limit: Decimal | null;
  balanceDate: Date | null;
  /**
   * Where the source says with its listing and what was granted allows it: the whole account number, and the names of the
   * owners. An account that comes under another id is recognised by them; they are compared and never stored.
   */
  marks?: AccountMarks;
}

/** The numbers of one account as a provider brings them. */
export interface FetchedAccountNumbers {
  providerAccountId: string;
  numbers: AccountNumbers;
}

/** The owners of one account as a provider brings them. */
export interface FetchedAccountOwners {
  providerAccountId: string;
  /** In the order of the source. */
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
  /** `YYYY-MM-DD`. */
  date: string;
  /** Local time of the institution, `YYYY-MM-DDTHH:MM:SS.mmm`, or null. */
  datetime: string | null;
  description: string | null;
  rawDescription: string | null;
  pending: boolean;
  /** `group.subgroup` of transaction-categories.ts, or null. */
  category: string | null;
  /** Of a posted row whose id changed (`ProviderFacts.pendingIdsSurvive` is false): the id it had while it was pending, if the source says so. */
  replaces?: string | null;
}

/** What a fetch of one product brought, whole. */
export type FetchedProduct =
  /** `permissionEndsAt`: when the source ends the permission by itself; null = at no known time, missing = it did not say. */
  | { product: 'accounts'; accounts: readonly FetchedAccount[]; permissionEndsAt?: Date | null }
  | { product: 'account_numbers'; numbers: readonly FetchedAccountNumbers[] }
  | { product: 'identity'; owners: readonly FetchedAccountOwners[] }
  | ({ product: 'transactions' } & FetchedListing);

export interface FetchedListing {
  transactions: readonly FetchedTransaction[];
  /** The days it covered completely; null = none. */
  window: DayWindow | null;
  /** The provider gives a row another id when it posts. */
  postedIdsDiffer: boolean;
}

/** One batch of a listing of transactions. The last one, which may be empty, says what the fetch was. */
export interface TransactionBatch {
  transactions: readonly FetchedTransaction[];
  last: boolean;
  /** The days the fetch covered completely; null = none. Used with the last batch: absence means removal only in here. */
  window: DayWindow | null;
  /** Provider ids of the rows of the batches before. Used with the last batch. */
  seenIds: readonly string[];
}

/** docs/architecture.md, "Transactions": at most this many rows in one database transaction. */
export const MAX_BATCH = 1_000;

/** A listing in the batches it is stored in; at least one. */
export function batchesOf({
  transactions,
  window,
}: Pick<FetchedListing, 'transactions' | 'window'>): TransactionBatch[] {
  const batches: TransactionBatch[] = [];
  for (let from = 0; from === 0 || from < transactions.length; from += MAX_BATCH) {
    const last = from + MAX_BATCH >= transactions.length;
    const seenIds = last
      ? transactions.slice(0, from).map(({ providerTransactionId }) => providerTransactionId)
      : [];
    batches.push({
      transactions: transactions.slice(from, from + MAX_BATCH),
      last,
      window,
      seenIds,
    });
  }
  return batches;
}
