import type { IdentityGetData, IdentityGetResult } from '../generated/types.js';
import type { MoneyForm, WithMoney } from '../money.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

/** Owners of accounts. Source: native-api 3.5. */
export class Identity<Money extends MoneyForm = 'number'> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Accounts with their owners; needs the scope `identity:read`. */
  get(
    linkId: string,
    query?: IdentityGetData['query'],
    options?: CallOptions,
  ): ApiPromise<WithMoney<IdentityGetResult, Money>> {
    return this.#requester.json(
      { method: 'GET', path: path`/links/${linkId}/identity`, query },
      options,
    );
  }
}
