import { KeysRefused, ProviderFailure, QuotaUsedUp } from '../../domain/errors/provider-failure.js';
import type { FaultReason } from '../../domain/refresh/source-fault.js';
import { readPart, type ReadScope } from '../http/read-scope.js';

/** The maximum number of calls for one listing; further pages are not read. */
const MAX_PAGES = 50;
/** Pages without items precede others, but not many in succession. */
const MAX_EMPTY_PAGES = 10;

export interface ListedPage<Item> {
  items: readonly Item[];
  /**
   * Returns the key of the next page, null if there is none.
   * @throws Unreadable
   */
  next: () => string | null;
}

export interface Listing<Item> {
  /** Of the account that it lists; null = of several. */
  scope: ReadScope;
  /** The source's name of the key of a page. */
  keyField: string;
  maxPages?: number;
  /** @param key of the page; null = the first one */
  readPage(key: string | null): Promise<ListedPage<Item>>;
}

/**
 * Reads a listing page by page. One that goes wrong after its first page ends there: the items read
 * so far count, and its account is noted as incomplete.
 *
 * | After the first page | Result |
 * |---|---|
 * | no key, or the key of the same page | the listing has ended |
 * | an unreadable key | noted, and the listing ends |
 * | a key that was used before | `repeated`, and the listing ends |
 * | too many pages, or empty ones in succession | `endless`, and the listing ends |
 * | any refusal (4xx, 5xx, 429), silence, a broken connection, no JSON, a page, another shape | `refused`, and the listing ends; the first page of the next account shows whether the source refuses that, too |
 * | the permission or the keys count as refused | the first page is read again: if it is refused likewise, the fetch fails; otherwise as above |
 * | our own quota is used up | the fetch fails, to be repeated when there is room |
 * | the caller aborts | the fetch fails with the reason of the signal |
 * @throws ProviderFailure when the first page cannot be read, and as above
 */
export async function* readListing<Item>({
  scope,
  keyField,
  maxPages = MAX_PAGES,
  readPage,
}: Listing<Item>): AsyncGenerator<readonly Item[]> {
  const seen = new Set<string>();
  const breakOff = (field: string, reason: FaultReason): void =>
    scope.note({ scope: 'account', account: scope.account, resource: 'page', field, reason });
  let key: string | null = null;
  let empty = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const read: ListedPage<Item> | null = await readPage(key).catch(async (error: unknown) => {
      if (page === 0 || !isOfOnePage(error)) throw error;
      if (isOfPermission(error)) await expectPermission(() => readPage(null));
      return null;
    });
    if (read === null) return breakOff('', 'refused');
    yield read.items;
    empty = read.items.length === 0 ? empty + 1 : 0;
    const next: string | null = readPart({ ...scope, scope: 'account' }, read.next);
    // The last page of some banks repeats its own key.
    if (next === null || next === key) return;
    if (seen.has(next)) return breakOff(keyField, 'repeated');
    if (empty >= MAX_EMPTY_PAGES) return breakOff(keyField, 'endless');
    seen.add(next);
    key = next;
  }
  breakOff(keyField, 'endless');
}

const isOfOnePage = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && !(error instanceof QuotaUsedUp);

const isOfPermission = (error: ProviderFailure): boolean =>
  error instanceof KeysRefused || error.providerCause === 'consent_expired';

/** Some banks refuse a later page as if the permission had ended. */
async function expectPermission(readFirst: () => Promise<unknown>): Promise<void> {
  try {
    await readFirst();
  } catch (error) {
    if (!(error instanceof ProviderFailure) || isOfPermission(error)) throw error;
  }
}
