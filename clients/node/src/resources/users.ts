import type {
  CreatedSimplefinToken,
  ExportTable,
  Link,
  Transaction,
  UserExport,
  UserLinkAccounts,
  UsersCreateSimplefinTokenRequest,
  UsersEraseResult,
  UsersExportData,
  UsersListAccountsData,
  UsersListAccountsResult,
  UsersListLinksData,
  UsersListLinksResult,
  UsersListSimplefinTokensResult,
  UsersListTransactionsData,
  UsersListTransactionsResult,
} from '../generated/types.js';
import { cursorList, numberedList, type PagedList } from '../paged-list.js';
import type { MoneyForm, WithMoney } from '../money.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

export type UsersListLinksQuery = NonNullable<UsersListLinksData['query']>;
export type UsersListAccountsQuery = NonNullable<UsersListAccountsData['query']>;
export type UsersListTransactionsQuery = NonNullable<UsersListTransactionsData['query']>;
/** The accounts of one link of a user. */
export type LinkAccounts = UserLinkAccounts & { link_id: string };
type ExportFormat = NonNullable<NonNullable<UsersExportData['query']>['format']>;

/** Data of one of your users over all their links, by your own id of the user. Source: native-api 3.7. */
export class Users<Money extends MoneyForm = 'number'> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Links of the user, oldest first. */
  listLinks(
    userId: string,
    query: UsersListLinksQuery = {},
    options?: CallOptions,
  ): PagedList<Link, UsersListLinksResult> {
    return cursorList(
      query,
      (page) =>
        this.#requester.json<UsersListLinksResult>(
          { method: 'GET', path: path`/users/${userId}/links`, query: page },
          options,
        ),
      ({ links, next_cursor: next }) => ({
        items: Object.values(links as Record<string, Link>),
        next: next || null,
      }),
    );
  }

  /** Accounts of the user, link by link; a link with more accounts than `limit` comes in several parts. */
  listAccounts(
    userId: string,
    query: UsersListAccountsQuery = {},
    options?: CallOptions,
  ): PagedList<WithMoney<LinkAccounts, Money>, WithMoney<UsersListAccountsResult, Money>> {
    return cursorList(
      query,
      (page) =>
        this.#requester.json<WithMoney<UsersListAccountsResult, Money>>(
          { method: 'GET', path: path`/users/${userId}/accounts`, query: page },
          options,
        ),
      (body) => {
        const { links, next_cursor: next } = body as UsersListAccountsResult;
        const items = Object.entries(links as Record<string, UserLinkAccounts>).map(
          ([linkId, accounts]) => ({ link_id: linkId, ...accounts }),
        );
        return { items: items as WithMoney<LinkAccounts, Money>[], next: next || null };
      },
    );
  }

  /** Transactions of all accounts of the user between two dates, newest first. */
  listTransactions(
    userId: string,
    query: UsersListTransactionsQuery = {},
    options?: CallOptions,
  ): PagedList<WithMoney<Transaction, Money>, WithMoney<UsersListTransactionsResult, Money>> {
    return numberedList(query, (page) =>
      this.#requester.json(
        { method: 'GET', path: path`/users/${userId}/transactions`, query: page },
        options,
      ),
    );
  }

  /** All data stored for the user: as one object, or as a stream of JSON lines or CSV. */
  export(
    userId: string,
    query?: { format?: 'json' },
    options?: CallOptions,
  ): ApiPromise<WithMoney<UserExport, Money>>;
  export(
    userId: string,
    query: { format: Exclude<ExportFormat, 'json'>; data?: ExportTable; bom?: boolean },
    options?: CallOptions,
  ): ApiPromise<ReadableStream<Uint8Array>>;
  export(
    userId: string,
    query: { format?: ExportFormat; data?: ExportTable; bom?: boolean } = {},
    options?: CallOptions,
  ): ApiPromise<WithMoney<UserExport, Money> | ReadableStream<Uint8Array>> {
    const request = { method: 'GET', path: path`/users/${userId}/export`, query } as const;
    return (query.format ?? 'json') === 'json'
      ? this.#requester.json(request, options)
      : this.#requester.stream(request, options);
  }

  /** Erases the user with all links and data, and ends the permissions at the banks. */
  erase(userId: string, options?: CallOptions): ApiPromise<UsersEraseResult> {
    return this.#requester.json({ method: 'DELETE', path: path`/users/${userId}` }, options);
  }

  /** Tokens with which finance apps read the accounts of the user by the SimpleFIN protocol. */
  listSimplefinTokens(
    userId: string,
    options?: CallOptions,
  ): ApiPromise<UsersListSimplefinTokensResult> {
    return this.#requester.json(
      { method: 'GET', path: path`/users/${userId}/simplefin-tokens` },
      options,
    );
  }

  /** Creates such a token. Its `setup_token` is shown once. */
  createSimplefinToken(
    userId: string,
    body: UsersCreateSimplefinTokenRequest = {},
    options?: CallOptions,
  ): ApiPromise<CreatedSimplefinToken> {
    return this.#requester.json(
      { method: 'POST', path: path`/users/${userId}/simplefin-tokens`, body },
      options,
    );
  }

  revokeSimplefinToken(userId: string, tokenId: string, options?: CallOptions): ApiPromise<void> {
    return this.#requester.nothing(
      { method: 'DELETE', path: path`/users/${userId}/simplefin-tokens/${tokenId}` },
      options,
    );
  }
}
