import type {
  Institution,
  InstitutionsListData,
  InstitutionsListResult,
} from '../generated/types.js';
import { cursorList, type PagedList } from '../paged-list.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

export type InstitutionsListQuery = NonNullable<InstitutionsListData['query']>;

/** Institutions that your app can link. Source: native-api 3.7. */
export class Institutions {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  list(
    query: InstitutionsListQuery = {},
    options?: CallOptions,
  ): PagedList<Institution, InstitutionsListResult> {
    return cursorList(
      query,
      (page) =>
        this.#requester.json<InstitutionsListResult>(
          { method: 'GET', path: '/institutions', query: page },
          options,
        ),
      ({ institutions: items, cursors }) => ({ items, next: cursors.next }),
    );
  }

  get(institutionId: string, options?: CallOptions): ApiPromise<Institution> {
    return this.#requester.json(
      { method: 'GET', path: path`/institutions/${institutionId}` },
      options,
    );
  }

  /** A picture of the institution, as SVG. */
  getAvatar(institutionId: string, options?: CallOptions): ApiPromise<string> {
    return this.#requester.text(
      { method: 'GET', path: path`/institutions/${institutionId}/avatar.svg`, isPublic: true },
      options,
    );
  }
}
