import { UnexpectedResponseError } from './errors.js';
import type { ApiPromise, ApiResponse } from './requests/api-promise.js';

/** One page of a list. */
export interface Page<Item, Body> {
  items: Item[];
  /** The `cursor` or `page` of the next page; null at the end. */
  next: string | number | null;
  /** The whole body. */
  body: Body;
  /** The response that brought it, with its headers and its request id. */
  response: ApiResponse<Body>;
}

/**
 * A list in pages. Nothing is sent before it is read: `for await` reads item after item to the end,
 * `page()` reads one page, and `pages()` page after page. A page may be empty and still have a next one.
 */
export class PagedList<Item, Body> implements AsyncIterable<Item> {
  readonly #read: (next: string | number | undefined) => Promise<Page<Item, Body>>;

  /** @param read requests the page that begins there; without an argument the first one */
  constructor(read: (next: string | number | undefined) => Promise<Page<Item, Body>>) {
    this.#read = read;
  }

  page(): Promise<Page<Item, Body>> {
    return this.#read(undefined);
  }

  /** The pages, from the first one to the last. */
  async *pages(): AsyncGenerator<Page<Item, Body>, void, undefined> {
    for (let page = await this.page(); ; page = await this.#read(page.next)) {
      yield page;
      if (page.next === null) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/** Items and next position of a response. */
export type Paging<Item, Body> = (body: Body) => Pick<Page<Item, Body>, 'items' | 'next'>;

async function pageOf<Item, Body>(
  request: ApiPromise<Body>,
  paging: Paging<Item, Body>,
): Promise<Page<Item, Body>> {
  const response = await request.withResponse();
  const { data: body, status, requestId } = response;
  try {
    const { items, next } = paging(body);
    if (Array.isArray(items) && next !== undefined) return { items, next, body, response };
  } catch {
    // A member is missing.
  }
  throw new UnexpectedResponseError('The response is not a page of this list.', status, requestId);
}

/** A list whose pages follow each other by a cursor. */
export function cursorList<Item, Body, Query extends { cursor?: string }>(
  query: Query,
  request: (query: Query) => ApiPromise<Body>,
  paging: Paging<Item, Body>,
): PagedList<Item, Body> {
  return new PagedList((next) =>
    pageOf(request(next === undefined ? query : { ...query, cursor: next as string }), paging),
  );
}

/** The default of the API for lists of numbered pages. */
const DEFAULT_SIZE = 50;

interface NumberedBody<Item> {
  total: number;
  page: number;
  transactions: Item[];
  investment_transactions: Item[];
}

/**
 * A list of numbered pages (native-api 7): its end is a short page, or the total. `member`: the rows
 * in its body.
 */
export function numberedList<Item, Body, Query extends { page?: number; size?: number }>(
  query: Query,
  request: (query: Query) => ApiPromise<Body>,
  member: 'transactions' | 'investment_transactions' = 'transactions',
): PagedList<Item, Body> {
  const { size = DEFAULT_SIZE } = query;
  return new PagedList((next) =>
    pageOf(request(next === undefined ? query : { ...query, page: next as number }), (body) => {
      const { [member]: items, page, total } = body as NumberedBody<Item>;
      const isLast = items.length < size || page * size >= total;
      return { items, next: isLast ? null : page + 1 };
    }),
  );
}
