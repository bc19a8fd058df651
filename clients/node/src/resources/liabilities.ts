import type { LiabilitiesListData, LiabilitiesListResult, Liability } from '../generated/types.js';
import type { MoneyForm, WithMoney } from '../money.js';
import { cursorList, type PagedList } from '../paged-list.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

export type LiabilitiesListQuery = NonNullable<LiabilitiesListData['query']>;

/** Debts. Source: native-api 3.15. */
export class Liabilities<Money extends MoneyForm = 'number'> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** The cards, credit lines and loans of a link, one debt per account. */
  list(
    linkId: string,
    query: LiabilitiesListQuery = {},
    options?: CallOptions,
  ): PagedList<WithMoney<Liability, Money>, WithMoney<LiabilitiesListResult, Money>> {
    return cursorList(
      query,
      (page) =>
        this.#requester.json<WithMoney<LiabilitiesListResult, Money>>(
          { method: 'GET', path: path`/links/${linkId}/liabilities`, query: page },
          options,
        ),
      (body) => {
        const { liabilities, next_cursor: next } = body as LiabilitiesListResult;
        return { items: liabilities as WithMoney<Liability, Money>[], next: next || null };
      },
    );
  }
}
