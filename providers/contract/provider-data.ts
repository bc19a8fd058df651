import type {
  DayWindow,
  FetchedAccount,
  FetchedTransaction,
} from '../../domain/refresh/fetched-data.js';
import type { FactsByAccount } from '../../domain/accounts/account-facts.js';
import type { Product } from '../../domain/link/products.js';
import type { SourceFault } from '../../domain/refresh/source-fault.js';
import type { EndUser } from '../../domain/session/end-user.js';
import type { ProviderSecret } from './provider.types.js';

/** The input of a data call: the opened credential and its institution. */
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
   * Provider ids of the link's accounts that are not closed; missing = none yet. For sources that
   * omit the accounts of a bank they cannot reach (`unreported`).
   */
  knownAccounts?: readonly string[];
  /**
   * The stored facts of the link's accounts, closed ones included; missing = none yet. For facts that
   * a response omits: type (`settleType`), with it the sign of a debt, and currency.
   */
  accountFacts?: FactsByAccount;
  signal: AbortSignal;
}

/** The services of the core for an adapter during a data call. */
export interface AccessServices {
  /**
   * Replaces a credential that has to be renewed. Single-flight across all processes: while one
   * caller exchanges, the others wait and get its result. `exchange` receives the credential in
   * force, and its result is stored before this resolves. Its `signal` outlives the caller, whose
   * end must not lose a credential that the source has already issued: use it instead of the
   * access's own.
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
   * Reports unreadable data to the core. A fault of scope `row` or `account` makes its account
   * incomplete for this fetch: its readable data is stored, and no missing data is removed,
   * withdrawn or closed. With `account: null` no account that is missing in the response counts as
   * gone.
   */
  note(fault: SourceFault): void;
}

// Fetched data has one shape from the adapter to the table.
export type { FetchedLiability as ProviderLiability } from '../../domain/liabilities/liability.js';
export type {
  DayWindow as TransactionWindow,
  FetchedAccount as ProviderAccount,
  FetchedAccountNumbers as ProviderAccountNumbers,
  FetchedAccountOwners as ProviderAccountOwners,
  FetchedHoldings as ProviderHoldings,
  FetchedTrades as ProviderTrades,
  FetchedTransaction as ProviderTransaction,
} from '../../domain/refresh/fetched-data.js';

export interface AccountListing {
  accounts: FetchedAccount[];
  /**
   * Provider ids of accounts that exist but that the source does not currently report on, for
   * example when one of several banks fails. They and their rows stay as they are; every other
   * missing account is closed.
   */
  unreported: readonly string[];
}

export interface ProviderTransactionPage {
  transactions: FetchedTransaction[];
  /**
   * The days of the window that the source still has, the same on every page; null = none, missing
   * = the whole window. A missing row counts as withdrawn only within these days, because the start
   * of the history moves during the fetch.
   */
  covered?: DayWindow | null;
  /**
   * Provider ids of accounts that the listing does not report on: their missing rows stay. Those of
   * all pages count together.
   */
  unreported?: readonly string[];
}
