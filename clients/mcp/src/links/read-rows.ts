import type { Link, Page, PagedList } from '@tributary/node';
import { MAX_ROWS } from '../serving/inputs.js';

/** A list whose pages name their link. */
type LinkList<Item, Body extends { link: Link }> = PagedList<Item, Body>;

export interface ReadRows<Item, Body> {
  rows: Item[];
  bodies: Body[];
  link: Link;
}

/**
 * Reads a list as far as a result needs that begins at the row `from`: to the row after its last one,
 * by which it has a `next_offset`.
 */
export async function readRows<Item, Body extends { link: Link }>(
  list: LinkList<Item, Body>,
  from: number,
): Promise<ReadRows<Item, Body>> {
  const pages: Page<Item, Body>[] = [];
  let count = 0;
  for await (const page of list.pages()) {
    pages.push(page);
    count += page.items.length;
    if (count > from + MAX_ROWS) break;
  }
  const bodies = pages.map(({ body }) => body);
  const [{ link }] = bodies as [Body];
  return { rows: pages.flatMap(({ items }) => items), bodies, link };
}
