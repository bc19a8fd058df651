import type { Decimal } from 'decimal.js';
import type { AccountIdentifiers } from '../accounts/account-identifiers.js';
import type { AccountNumbers } from '../accounts/account-numbers.js';
import type { Owner } from '../accounts/account-owner.js';
import type { FetchedHolding, FetchedHoldingsAccount } from '../investments/fetched-holding.js';
import type { FetchedInvestmentTransaction } from '../investments/fetched-investment-transaction.js';
import type { FetchedLiability } from '../liabilities/liability.js';
import type { BankTransactionCode } from '../transactions/bank-transaction-codes.js';
import type { CounterpartyNumbers } from '../transactions/counterparty-numbers.js';
import type { TransactionDetails } from '../transactions/transaction-details.js';
import type { IncompleteAccount } from './incomplete-answer.js';

/** A range of days, both inclusive, `YYYY-MM-DD`. */
export interface DayWindow {
  from: string;
  to: string;
}

/** An account as returned by a provider, ready to be stored. */
export interface FetchedAccount {
  /** The provider's id, stable within this permission. */
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
   * The full account number and the owners' names, if the source lists them and the granted
   * products allow it. Used to recognize an account that appears under another id; compared, never
   * stored.
   */
  identifiers?: AccountIdentifiers;
}

/** The numbers of one account as returned by a provider. */
export interface FetchedAccountNumbers {
  providerAccountId: string;
  numbers: AccountNumbers;
}

/** The owners of one account as returned by a provider. */
export interface FetchedAccountOwners {
  providerAccountId: string;
  /** In the order of the source. */
  owners: readonly Owner[];
}

/** A transaction as returned by a provider, ready to be stored. */
export interface FetchedTransaction {
  providerTransactionId: string;
  providerAccountId: string;
  /** Never negative; the direction is in `type`. */
  amount: Decimal;
  type: 'debit' | 'credit';
  currency: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** Local time of the institution, `YYYY-MM-DDTHH:MM:SS.mmm`; null = unknown. */
  datetime: string | null;
  description: string | null;
  rawDescription: string | null;
  pending: boolean;
  /**
   * The category that the source itself assigns, `group.subgroup` of transaction-categories.ts; null
   * = none, which leaves it to the codes (categorize.ts).
   */
  category: string | null;
  /** Missing = the source knows none. */
  details?: TransactionDetails;
  /** The full account number of the counterparty, which is sealed; missing or null = unknown. */
  counterpartyNumbers?: CounterpartyNumbers | null;
  /** Missing or null = unknown. */
  bankTransactionCode?: BankTransactionCode | null;
  /**
   * The id of a posted transaction while it was pending, if its id changed
   * (`ProviderFacts.transactionIds`) and the source reports it.
   */
  replaces?: string | null;
}

/**
 * The result of fetching one product. `incomplete`: accounts whose data is incomplete, including
 * those that the source does not report on; missing = none.
 */
export type FetchedProduct = FetchedContent & { incomplete?: readonly IncompleteAccount[] };

type FetchedContent =
  /**
   * `permissionEndsAt`: the time at which the source itself ends the permission; null = no known
   * time, missing = not reported. `unreported`: provider ids of accounts that the source does not
   * report on.
   */
  | {
      product: 'accounts';
      accounts: readonly FetchedAccount[];
      unreported?: readonly string[];
      permissionEndsAt?: Date | null;
    }
  | { product: 'account_numbers'; numbers: readonly FetchedAccountNumbers[] }
  | { product: 'identity'; owners: readonly FetchedAccountOwners[] }
  | ({ product: 'transactions' } & FetchedListing)
  | ({ product: 'investments' } & FetchedInvestments)
  | { product: 'liabilities'; liabilities: readonly FetchedLiability[] };

/** Holdings, and the movements of the accounts that have them. */
export interface FetchedInvestments extends FetchedHoldings {
  /** Null = the source offers none. */
  trades: FetchedTrades | null;
}

/** The complete list of holdings of each account in `accounts`. */
export interface FetchedHoldings {
  accounts: readonly FetchedHoldingsAccount[];
  holdings: readonly FetchedHolding[];
}

export interface FetchedTrades {
  transactions: readonly FetchedInvestmentTransaction[];
  /** The days that the list covers completely; null = none. */
  window: DayWindow | null;
  /** As in FetchedListing; false by default. */
  postedIdsDiffer?: boolean;
  anyIdDiffers?: boolean;
}

export interface FetchedListing {
  transactions: readonly FetchedTransaction[];
  /** The days the listing covers completely; null = none. */
  window: DayWindow | null;
  /**
   * Provider ids of accounts that the listing does not report on: none of their rows counts as
   * missing.
   */
  unreported?: readonly string[];
  /** The provider changes the id of a transaction when it posts. */
  postedIdsDiffer: boolean;
  /** The provider may report any transaction under another id (`ProviderFacts.transactionIds`). */
  anyIdDiffers?: boolean;
}

/** One batch of a transaction listing. The last one may be empty and describes the whole fetch. */
export interface TransactionBatch {
  transactions: readonly FetchedTransaction[];
  last: boolean;
  /**
   * The days the fetch covered completely; null = none. Used with the last batch: a missing row
   * counts as removed only within this window.
   */
  window: DayWindow | null;
  /** Provider ids in all earlier batches. Used with the last batch. */
  seenIds: readonly string[];
  /**
   * Accounts for which the fetch lacks data, so that none of their rows counts as missing. Used
   * with the last batch.
   */
  incomplete?: readonly IncompleteAccount[];
}

/** docs/architecture.md, "Transactions": the maximum number of rows in one database transaction. */
export const MAX_BATCH = 1_000;

/** Splits a listing into batches for storage; at least one. */
export function batchesOf({
  transactions,
  window,
  incomplete = [],
}: Pick<TransactionBatch, 'transactions' | 'window' | 'incomplete'>): TransactionBatch[] {
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
      incomplete,
    });
  }
  return batches;
}
