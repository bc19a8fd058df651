import { isLosslessNumber } from 'lossless-json';
import type { ReadScope } from '../../http/read-scope.js';
import type { RemoteObject } from '../../http/remote-object.js';
import { readListing } from '../../rules/read-listing.js';
import type { ReadResource } from './resource-reader.js';

const PAGE_SIZE = 200;
/** Banks may return more than `limit`. */
const MAX_ITEMS = 5_000;
const KEY = 'nextOffset';

/**
 * Reads a listing page by page (rules/read-listing.ts).
 * @param items the member with the items
 * @param scope the account of the listing
 * @throws ProviderFailure when its first page cannot be read
 */
export function listPages(
  read: ReadResource,
  path: readonly string[],
  items: string,
  scope: ReadScope,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<readonly unknown[]> {
  return readListing({
    scope,
    keyField: KEY,
    async readPage(offset) {
      const asked = { ...query, limit: String(PAGE_SIZE), ...(offset === null ? {} : { offset }) };
      const response = await read(path, asked);
      return { items: response.list(items, MAX_ITEMS), next: () => nextOffsetOf(response) };
    },
  });
}

/** All items of a short listing. */
export async function listAll(
  read: ReadResource,
  path: readonly string[],
  items: string,
  scope: ReadScope,
): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const page of listPages(read, path, items, scope)) all.push(...page);
  return all;
}

function nextOffsetOf(response: RemoteObject): string | null {
  const page = response.optional('page', (it) => it.object('page'));
  return (
    page?.optional(KEY, (it) => {
      const value = it.any(KEY);
      if (value === '') return null;
      return isLosslessNumber(value) ? value.value : it.text(KEY, { max: 2_000 });
    }) ?? null
  );
}
