import type {
  RecurringListData,
  RecurringListResult,
  RecurringStream,
} from '../generated/types.js';
import type { MoneyForm, WithMoney } from '../money.js';
import { cursorList, type PagedList } from '../paged-list.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

export type RecurringListQuery = NonNullable<RecurringListData['query']>;

/** Payments that return. Source: native-api 3.12. */
export class Recurring<Money extends MoneyForm = 'number'> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Salaries, bills and subscriptions of a link, in the order in which they were found. */
  list(
    linkId: string,
    query: RecurringListQuery = {},
    options?: CallOptions,
  ): PagedList<WithMoney<RecurringStream, Money>, WithMoney<RecurringListResult, Money>> {
    return cursorList(
      query,
      (page) =>
        this.#requester.json<WithMoney<RecurringListResult, Money>>(
          { method: 'GET', path: path`/links/${linkId}/recurring`, query: page },
          options,
        ),
      (body) => {
        const { streams, next_cursor: next } = body as RecurringListResult;
        return { items: streams as WithMoney<RecurringStream, Money>[], next: next || null };
      },
    );
  }
}
