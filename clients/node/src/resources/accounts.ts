import type {
  AccountsGetResult,
  AccountsListBalancesData,
  AccountsListBalancesResult,
  AccountsListData,
  AccountsListNumbersData,
  AccountsListNumbersResult,
  AccountsListResult,
} from '../generated/types.js';
import type { MoneyForm, WithMoney } from '../money.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

/** Accounts of a link, as they are stored: no call waits for a bank. Source: native-api 3.5. */
export class Accounts<Money extends MoneyForm = 'number'> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Open accounts that the user shared, with balances. */
  list(
    linkId: string,
    query?: AccountsListData['query'],
    options?: CallOptions,
  ): ApiPromise<WithMoney<AccountsListResult, Money>> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/accounts`, query },
      options,
    );
  }

  /** An account, also a closed one. */
  get(
    linkId: string,
    accountId: string,
    options?: CallOptions,
  ): ApiPromise<WithMoney<AccountsGetResult, Money>> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/accounts/${accountId}` },
      options,
    );
  }

  /** Balances of an account by day. */
  listBalances(
    linkId: string,
    accountId: string,
    query?: AccountsListBalancesData['query'],
    options?: CallOptions,
  ): ApiPromise<WithMoney<AccountsListBalancesResult, Money>> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/accounts/${accountId}/balances`, query },
      options,
    );
  }

  /** Full account numbers; needs the scope `numbers:read`. */
  listNumbers(
    linkId: string,
    query?: AccountsListNumbersData['query'],
    options?: CallOptions,
  ): ApiPromise<WithMoney<AccountsListNumbersResult, Money>> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/accounts/numbers`, query },
      options,
    );
  }
}
