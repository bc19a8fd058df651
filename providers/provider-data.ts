import type { DayWindow, FetchedTransaction } from '../domain/refresh/fetched-data.js';
import type { Product } from '../domain/link/products.js';
import type { ProviderSecret } from './provider.types.js';

/** What a data call needs: the opened credential and the institution it belongs to. */
export interface ProviderAccess {
  remoteId: string;
  credential: ProviderSecret;
  /**
   * The same for all calls and repetitions of one product fetch, so that a source that counts
   * fetches counts it once.
   */
  fetchKey?: string;
  /**
   * The granted products. Data of other products must not be requested; missing = accounts only.
   */
  products?: readonly Product[];
  /**
   * The current time in the permission's sandbox world; null or missing = real time. Live adapters
   * ignore it.
   */
  worldTime?: Date | null;
  signal: AbortSignal;
}

// Fetched data has one shape from the adapter to the table.
export type {
  DayWindow as TransactionWindow,
  FetchedAccount as ProviderAccount,
  FetchedAccountNumbers as ProviderAccountNumbers,
  FetchedAccountOwners as ProviderAccountOwners,
  FetchedTransaction as ProviderTransaction,
} from '../domain/refresh/fetched-data.js';

export interface ProviderTransactionPage {
  transactions: FetchedTransaction[];
  /**
   * The days of the window that the source still knows, the same on every page; null = none,
   * missing = the whole window. A missing row counts as withdrawn only within these days, because
   * history rolls on while we read.
   */
  covered?: DayWindow | null;
}
