import { isLosslessNumber } from 'lossless-json';
import { malformed, type RemoteObject } from '../../http/remote-object.js';
import type { ReadResource } from './resource-reader.js';

const PAGE_SIZE = 200;
/** A longer listing never ends. */
const MAX_PAGES = 1_000;
/** Banks may return more than `limit`. */
const MAX_ITEMS = 5_000;

/**
 * Reads a listing page by page (`page.nextOffset`).
 * @param items the member with the items
 * @throws ProviderFailure `malformed` for a listing that repeats itself or does not end
 */
export async function* listPages(
  read: ReadResource,
  path: readonly string[],
  items: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<unknown[]> {
  const seen = new Set<string>();
  let offset: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await read(path, {
      ...query,
      limit: String(PAGE_SIZE),
      ...(offset === null ? {} : { offset }),
    });
    yield response.list(items, MAX_ITEMS);
    offset = nextOffsetOf(response);
    if (offset === null) return;
    if (seen.has(offset)) throw malformed('the pages form a loop');
    seen.add(offset);
  }
  throw malformed('the pages do not end');
}

/** All items of a listing of which little is expected. */
export async function listAll(
  read: ReadResource,
  path: readonly string[],
  items: string,
): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const page of listPages(read, path, items)) {
    all.push(...page);
    if (all.length > MAX_ITEMS) throw malformed('the pages do not end');
  }
  return all;
}

function nextOffsetOf(response: RemoteObject): string | null {
  const page = response.optional('page', (it) => it.object('page'));
  return (
    page?.optional('nextOffset', (it) => {
      const value = it.any('nextOffset');
      return isLosslessNumber(value) ? value.value : it.text('nextOffset', { max: 2_000 });
    }) ?? null
  );
}
