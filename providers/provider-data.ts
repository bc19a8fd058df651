import type { DayWindow, FetchedTransaction } from '../domain/refresh/fetched-data.js';
import type { Product } from '../domain/link/products.js';
import type { ProviderSecret } from './provider.types.js';

/** What a data call needs: the opened credential, and which institution it is for. */
export interface ProviderAccess {
  remoteId: string;
  credential: ProviderSecret;
  /** The same for all calls and repetitions of one fetch of a product. A source that counts fetches counts each once. */
  fetchKey?: string;
  /** What the user granted. Of what belongs to other products nothing may be asked; missing = accounts alone. */
  products?: readonly Product[];
  /** What time it is in the sandbox world of the permission; null or missing = real time. Live adapters ignore it. */
  worldTime?: Date | null;
  signal: AbortSignal;
}

// What a fetch brings has one shape from the adapter to the table.
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
   * The days of the window that the source still knows, the same on every page; null = none, missing = the whole window.
   * Only inside it does a row's absence mean that the source withdrew it: history rolls on while we read.
   */
  covered?: DayWindow | null;
}
