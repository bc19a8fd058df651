import { isLosslessNumber } from 'lossless-json';
import type { FaultReason } from '../../../domain/refresh/source-fault.js';
import { isRefusedRequest, readPart, type ReadScope } from '../../http/read-scope.js';
import type { RemoteObject } from '../../http/remote-object.js';
import { isOfOneAccount } from './each-account.js';
import type { ReadResource } from './resource-reader.js';

const PAGE_SIZE = 200;
/** The maximum number of calls for one listing; further items are not read. */
const MAX_PAGES = 50;
/** Banks may return more than `limit`. */
const MAX_ITEMS = 5_000;
/** Pages without items precede others, but not many in succession. */
const MAX_EMPTY_PAGES = 10;

/**
 * Reads a listing page by page (`page.nextOffset`). If it breaks off, repeats itself or does not
 * end, that is noted and the listing ends there: the items read so far count.
 * @param items the member with the items
 * @param scope the account of the listing
 * @throws ProviderFailure when its first page cannot be read
 */
export async function* listPages(
  read: ReadResource,
  path: readonly string[],
  items: string,
  scope: ReadScope,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<unknown[]> {
  const seen = new Set<string>();
  const breakOff = (reason: FaultReason): void =>
    scope.note({ scope: 'account', account: scope.account, resource: 'page', field: '', reason });
  let offset: string | null = null;
  let empty = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked = { ...query, limit: String(PAGE_SIZE), ...(offset === null ? {} : { offset }) };
    let response: RemoteObject;
    let listed: unknown[];
    try {
      response = await read(path, asked);
      listed = response.list(items, MAX_ITEMS);
    } catch (error) {
      if (page === 0 || !(isOfOneAccount(error) || isRefusedRequest(error))) throw error;
      return breakOff('refused');
    }
    yield listed;
    empty = listed.length === 0 ? empty + 1 : 0;
    const next: string | null = readPart({ ...scope, scope: 'account' }, () =>
      nextOffsetOf(response),
    );
    // The last page of some banks names itself.
    if (next === null || next === offset) return;
    if (seen.has(next)) return breakOff('repeated');
    if (empty >= MAX_EMPTY_PAGES) return breakOff('endless');
    seen.add(next);
    offset = next;
  }
  breakOff('endless');
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
    page?.optional('nextOffset', (it) => {
      const value = it.any('nextOffset');
      if (value === '') return null;
      return isLosslessNumber(value) ? value.value : it.text('nextOffset', { max: 2_000 });
    }) ?? null
  );
}
