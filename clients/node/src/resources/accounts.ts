import type {
  AccountsGetResult,
  AccountsListBalancesData,
  AccountsListBalancesResult,
  AccountsListData,
  AccountsListNumbersData,
  AccountsListNumbersResult,
  AccountsListResult,
} from '../generated/types.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

/** Accounts of a link, as they are stored: no call waits for a bank. Source: native-api 3.5. */
export class Accounts {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Open accounts that the user shared, with balances. */
  list(
    linkId: string,
    query?: AccountsListData['query'],
    options?: CallOptions,
  ): Promise<AccountsListResult> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/accounts`, query },
      options,
    );
  }

  /** An account, also a closed one. */
  get(linkId: string, accountId: string, options?: CallOptions): Promise<AccountsGetResult> {
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
  ): Promise<AccountsListBalancesResult> {
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
  ): Promise<AccountsListNumbersResult> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/accounts/numbers`, query },
      options,
    );
  }
}
