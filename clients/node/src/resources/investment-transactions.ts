import type {
  InvestmentTransaction,
  InvestmentTransactionsListData,
  InvestmentTransactionsListResult,
  InvestmentTransactionsSyncData,
  InvestmentTransactionsSyncResult,
} from '../generated/types.js';
import { numberedList, type PagedList } from '../paged-list.js';
import type { MoneyForm, WithMoney } from '../money.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

export type InvestmentTransactionsListQuery = NonNullable<InvestmentTransactionsListData['query']>;
export type InvestmentTransactionsSyncQuery = NonNullable<InvestmentTransactionsSyncData['query']>;

/** Purchases, sales and other movements of investment accounts. Source: native-api 3.14. */
export class InvestmentTransactions<Money extends MoneyForm = 'number'> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Rows between two dates, newest first, for showing them; for a copy, use `sync`. */
  list(
    linkId: string,
    query: InvestmentTransactionsListQuery = {},
    options?: CallOptions,
  ): PagedList<
    WithMoney<InvestmentTransaction, Money>,
    WithMoney<InvestmentTransactionsListResult, Money>
  > {
    return numberedList(
      query,
      (page) =>
        this.#requester.json(
          { method: 'GET', path: path`/links/${linkId}/investment-transactions`, query: page },
          options,
        ),
      'investment_transactions',
    );
  }

  /** One page of the changes since a cursor. Repeat with `cursor.next` while `has_more` is true. */
  sync(
    linkId: string,
    query: InvestmentTransactionsSyncQuery = {},
    options?: CallOptions,
  ): ApiPromise<WithMoney<InvestmentTransactionsSyncResult, Money>> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/investment-transactions/sync`, query },
      options,
    );
  }
}
