import type {
  DayWindow,
  FetchedAccount,
  FetchedTransaction,
} from '../../domain/refresh/fetched-data.js';
import type { Product } from '../../domain/link/products.js';
import type { SourceFault } from '../../domain/refresh/source-fault.js';
import type { EndUser } from '../../domain/session/end-user.js';
import type { ProviderSecret } from './provider.types.js';

/** What a data call needs: the opened credential and the institution it belongs to. */
export interface ProviderAccess extends AccessServices {
  remoteId: string;
  /** The provider's own id of the permission (`LinkedOutcome.reference`). */
  reference: string;
  /** The credential in force; `renewCredential` replaces it here, too. */
  readonly credential: ProviderSecret;
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
  /**
   * Provider ids of the accounts that the link has and that are not closed; missing = none yet. For
   * sources that leave out the accounts of a bank they cannot reach (`unreported`).
   */
  knownAccounts?: readonly string[];
  signal: AbortSignal;
}

/** What the core does for an adapter during a data call. */
export interface AccessServices {
  /**
   * Replaces a credential that has to be renewed. Single-flight over all processes: while one
   * caller exchanges, the others wait and get its result. `exchange` gets the credential in force,
   * and what it returns is stored before this resolves. Its `signal` outlives the caller, whose end
   * must not lose what the source has already issued: use it in place of that of the access.
   * @throws ProviderFailure as `exchange` does
   */
  renewCredential(
    exchange: (inForce: ProviderSecret, signal: AbortSignal) => Promise<ProviderSecret>,
  ): Promise<ProviderSecret>;
  /**
   * Takes one call of a quota (`facts.quotas`) before it is made. `account`: the provider's id, for
   * quotas per account.
   * @throws ProviderFailure `rate_limited`, with the time from which there is room again
   */
  acquire(quota: string, account?: string): Promise<void>;
  /** The user who waits for this call; null = no one does, as in scheduled fetches. */
  endUser: EndUser | null;
  /**
   * Tells the core what could not be read. A fault of scope `row` or `account` makes its account
   * incomplete for this fetch: what was read of it is stored, and nothing that is missing is removed,
   * withdrawn or closed. With `account: null` no account that is missing in the answer counts as
   * gone.
   */
  note(fault: SourceFault): void;
}

// Fetched data has one shape from the adapter to the table.
export type {
  DayWindow as TransactionWindow,
  FetchedAccount as ProviderAccount,
  FetchedAccountNumbers as ProviderAccountNumbers,
  FetchedAccountOwners as ProviderAccountOwners,
  FetchedTransaction as ProviderTransaction,
} from '../../domain/refresh/fetched-data.js';

export interface AccountListing {
  accounts: FetchedAccount[];
  /**
   * Provider ids of accounts that exist but of which the source says nothing now, as when one bank
   * of several fails. They and their rows stay as they are; every other missing account is closed.
   */
  unreported: readonly string[];
}

export interface ProviderTransactionPage {
  transactions: FetchedTransaction[];
  /**
   * The days of the window that the source still knows, the same on every page; null = none,
   * missing = the whole window. A missing row counts as withdrawn only within these days, because
   * history rolls on while we read.
   */
  covered?: DayWindow | null;
  /**
   * Provider ids of accounts of which the listing says nothing: missing rows of these stay. Those of
   * all pages count together.
   */
  unreported?: readonly string[];
}
