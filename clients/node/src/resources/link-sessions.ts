import type {
  LinkSession,
  LinkSessionInFull,
  LinkSessionsCreateRequest,
  LinkSessionsCreateResult,
  LinkSessionsExchangeTokenRequest,
  LinkSessionsExchangeTokenResult,
  LinkSessionsListData,
  LinkSessionsListResult,
} from '../generated/types.js';
import { cursorList, type PagedList } from '../paged-list.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions, type KeyedCallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

export type LinkSessionsListQuery = NonNullable<LinkSessionsListData['query']>;

/** Sessions in which a person links a bank, or repairs a link. Source: native-api 3.3. */
export class LinkSessions {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Creates a session. Its `link_session_token` goes to your page, or its `hosted_url` to the person. */
  create(
    body: LinkSessionsCreateRequest,
    options?: KeyedCallOptions,
  ): ApiPromise<LinkSessionsCreateResult> {
    return this.#requester.json(
      { method: 'POST', path: '/link-session', body, isKeyed: true },
      options,
    );
  }

  /**
   * Exchanges the token of a finished session for its link. Pass the signed-in user as
   * `expected_customer_user_id`.
   * @throws PermissionDeniedError when the session belongs to another user: store nothing
   */
  exchangeToken(
    body: LinkSessionsExchangeTokenRequest,
    options?: KeyedCallOptions,
  ): ApiPromise<LinkSessionsExchangeTokenResult> {
    return this.#requester.json(
      { method: 'POST', path: '/link-session/exchange-token', body, isKeyed: true },
      options,
    );
  }

  /** Sessions of the last 90 days, newest first. */
  list(
    query: LinkSessionsListQuery = {},
    options?: CallOptions,
  ): PagedList<LinkSession, LinkSessionsListResult> {
    return cursorList(
      query,
      (page) =>
        this.#requester.json<LinkSessionsListResult>(
          { method: 'GET', path: '/link-sessions', query: page },
          options,
        ),
      ({ link_sessions: items, next_cursor: next }) => ({ items, next: next || null }),
    );
  }

  /** A session; a hosted one with its `exchangeable_token` as long as that is usable. */
  get(sessionId: string, options?: CallOptions): ApiPromise<LinkSessionInFull> {
    return this.#requester.json(
      { method: 'GET', path: path`/link-sessions/${sessionId}` },
      options,
    );
  }
}
