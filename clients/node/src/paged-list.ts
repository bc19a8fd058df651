/** One page of a list. */
export interface Page<Item, Body> {
  items: Item[];
  /** The `cursor` or `page` of the next page; null at the end. */
  next: string | number | null;
  /** The whole response. */
  body: Body;
}

/**
 * A list in pages. Nothing is sent before it is read: `for await` reads item after item to the end,
 * `page()` one page. A page may be empty and still have a next one.
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

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let page = await this.page(); ; page = await this.#read(page.next)) {
      yield* page.items;
      if (page.next === null) return;
    }
  }
}

/** Items and next position of a response. */
export type Paging<Item, Body> = (body: Body) => Pick<Page<Item, Body>, 'items' | 'next'>;

/** A list whose pages follow each other by a cursor. */
export function cursorList<Item, Body, Query extends { cursor?: string }>(
  query: Query,
  request: (query: Query) => Promise<Body>,
  paging: Paging<Item, Body>,
): PagedList<Item, Body> {
  return new PagedList(async (next) => {
    const body = await request(next === undefined ? query : { ...query, cursor: next as string });
    return { ...paging(body), body };
  });
}

/** The default of the API for lists of numbered pages. */
const DEFAULT_SIZE = 50;

/** A list of numbered pages (native-api 7): its end is a short page, or the total. */
export function numberedList<
  Item,
  Body extends { total: number; page: number; transactions: Item[] },
  Query extends { page?: number; size?: number },
>(query: Query, request: (query: Query) => Promise<Body>): PagedList<Item, Body> {
  const { size = DEFAULT_SIZE } = query;
  return new PagedList(async (next) => {
    const body = await request(next === undefined ? query : { ...query, page: next as number });
    const { transactions: items, page, total } = body;
    const isLast = items.length < size || page * size >= total;
    return { items, next: isLast ? null : page + 1, body };
  });
}
