import { cursorList, type PagedList } from '../paged-list.js';
import type {
  ExportTable,
  Link,
  LinkExport,
  LinksExportData,
  LinksImportRequest,
  LinksImportTransactionsRequest,
  LinksListData,
  LinksListResult,
  LinksRefreshProductsRequest,
  LinksUpdateRequest,
} from '../generated/types.js';
import type { MoneyForm, WithMoney } from '../money.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions, type KeyedCallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

export type LinksListQuery = NonNullable<LinksListData['query']>;
type ExportFormat = NonNullable<NonNullable<LinksExportData['query']>['format']>;

/** Links: the connections of your users to their banks. Source: native-api 3.4, 3.7. */
export class Links<Money extends MoneyForm = 'number'> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Links that were connected at least once or imported, oldest first unless `order` is `desc`. */
  list(query: LinksListQuery = {}, options?: CallOptions): PagedList<Link, LinksListResult> {
    return cursorList(
      query,
      (page) =>
        this.#requester.json<LinksListResult>(
          { method: 'GET', path: '/links', query: page },
          options,
        ),
      ({ links, next_cursor: next }) => ({ items: links, next: next || null }),
    );
  }

  /** A link with its state, and how old each of its products is. */
  get(linkId: string, options?: CallOptions): ApiPromise<Link> {
    return this.#requester.json({ method: 'GET', path: path`/links/${linkId}` }, options);
  }

  /** Changes the address of the webhooks, or the tags. */
  update(linkId: string, body: LinksUpdateRequest, options?: CallOptions): ApiPromise<Link> {
    return this.#requester.json({ method: 'PATCH', path: path`/links/${linkId}`, body }, options);
  }

  /** Disconnects the link and ends all reads of its data. A lost response is not repeated. */
  delete(linkId: string, options?: CallOptions): ApiPromise<void> {
    return this.#requester.nothing({ method: 'DELETE', path: path`/links/${linkId}` }, options);
  }

  /** All data stored for the link: as one object, or as a stream of JSON lines or CSV. */
  export(
    linkId: string,
    query?: { format?: 'json' },
    options?: CallOptions,
  ): ApiPromise<WithMoney<LinkExport, Money>>;
  export(
    linkId: string,
    query: { format: Exclude<ExportFormat, 'json'>; data?: ExportTable; bom?: boolean },
    options?: CallOptions,
  ): ApiPromise<ReadableStream<Uint8Array>>;
  export(
    linkId: string,
    query: { format?: ExportFormat; data?: ExportTable; bom?: boolean } = {},
    options?: CallOptions,
  ): ApiPromise<WithMoney<LinkExport, Money> | ReadableStream<Uint8Array>> {
    const request = { method: 'GET', path: path`/links/${linkId}/export`, query } as const;
    return (query.format ?? 'json') === 'json'
      ? this.#requester.json(request, options)
      : this.#requester.stream(request, options);
  }

  /** Creates a link from data of your own. */
  import(body: LinksImportRequest, options?: KeyedCallOptions): ApiPromise<Link> {
    return this.#requester.json(
      { method: 'POST', path: '/links/import', body, isKeyed: true },
      options,
    );
  }

  /** Adds transactions to an imported link. */
  importTransactions(
    linkId: string,
    body: LinksImportTransactionsRequest,
    options?: KeyedCallOptions,
  ): ApiPromise<Link> {
    return this.#requester.json(
      { method: 'POST', path: path`/links/${linkId}/import/transactions`, body, isKeyed: true },
      options,
    );
  }

  /**
   * Requests fresh data from the bank, and returns the link as it is now. The event
   * `link.product_refresh` announces the end.
   * @throws LinkNeedsOwnerError when the account owner has to sign in first
   */
  refreshProducts(
    linkId: string,
    body: LinksRefreshProductsRequest,
    options?: KeyedCallOptions,
  ): ApiPromise<Link> {
    return this.#requester.json(
      { method: 'POST', path: path`/links/${linkId}/products`, body, isKeyed: true },
      options,
    );
  }

  /** Makes a Sandbox link need its owner, as when a bank ends its permission. */
  reset(linkId: string, options?: CallOptions): ApiPromise<Link> {
    return this.#requester.json({ method: 'POST', path: path`/links/${linkId}/reset` }, options);
  }
}
