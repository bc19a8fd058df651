import type {
  Transaction,
  TransactionsGetNumbersResult,
  TransactionsListData,
  TransactionsListResult,
  TransactionsSyncData,
  TransactionsSyncResult,
} from '../generated/types.js';
import { numberedList, type PagedList } from '../paged-list.js';
import type { MoneyForm, WithMoney } from '../money.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';
import { syncInto, type SyncOptions, type SyncSummary } from '../sync/sync-into.js';
import type { SyncStore } from '../sync/sync-store.js';

export type TransactionsListQuery = NonNullable<TransactionsListData['query']>;
export type TransactionsSyncQuery = NonNullable<TransactionsSyncData['query']>;

/** Transactions of a link, as they are stored. Source: native-api 3.6. */
export class Transactions<Money extends MoneyForm = 'number'> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Transactions between two dates, newest first, for showing them; for a copy, use `syncInto`. */
  list(
    linkId: string,
    query: TransactionsListQuery = {},
    options?: CallOptions,
  ): PagedList<WithMoney<Transaction, Money>, WithMoney<TransactionsListResult, Money>> {
    return numberedList(query, (page) =>
      this.#requester.json(
        { method: 'GET', path: path`/links/${linkId}/transactions`, query: page },
        options,
      ),
    );
  }

  /** The full account number of the counterparty; needs the scope `numbers:read`. */
  getNumbers(
    linkId: string,
    transactionId: string,
    options?: CallOptions,
  ): ApiPromise<TransactionsGetNumbersResult> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/transactions/${transactionId}/numbers` },
      options,
    );
  }

  /** One page of the changes since a cursor. `syncInto` walks to the end and keeps the cursor. */
  sync(
    linkId: string,
    query: TransactionsSyncQuery = {},
    options?: CallOptions,
  ): ApiPromise<WithMoney<TransactionsSyncResult, Money>> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/transactions/sync`, query },
      options,
    );
  }

  /**
   * Brings a copy of the link's transactions up to date: reads the changes since the cursor of the
   * store, and has it commit each page together with its cursor. A crash at any point repeats at
   * most one page.
   * @returns what was committed
   */
  syncInto(linkId: string, store: SyncStore<Money>, options?: SyncOptions): Promise<SyncSummary> {
    return syncInto(this, linkId, store, options);
  }
}
