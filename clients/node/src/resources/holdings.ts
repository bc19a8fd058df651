import type { Holding, HoldingsListData, HoldingsListResult } from '../generated/types.js';
import type { MoneyForm, WithMoney } from '../money.js';
import { cursorList, type PagedList } from '../paged-list.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

export type HoldingsListQuery = NonNullable<HoldingsListData['query']>;

/** Positions of investment accounts. Source: native-api 3.13. */
export class Holdings<Money extends MoneyForm = 'number'> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * The positions of a link now, or `on` a day in the past. The `body` of a page has their securities,
   * and each account whose last position is on it with its cash.
   */
  list(
    linkId: string,
    query: HoldingsListQuery = {},
    options?: CallOptions,
  ): PagedList<WithMoney<Holding, Money>, WithMoney<HoldingsListResult, Money>> {
    return cursorList(
      query,
      (page) =>
        this.#requester.json<WithMoney<HoldingsListResult, Money>>(
          { method: 'GET', path: path`/links/${linkId}/holdings`, query: page },
          options,
        ),
      (body) => {
        const { holdings, next_cursor: next } = body as HoldingsListResult;
        return { items: holdings as WithMoney<Holding, Money>[], next: next || null };
      },
    );
  }
}
