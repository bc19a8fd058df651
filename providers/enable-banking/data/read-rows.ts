import { readEach } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import { readListing } from '../../rules/read-listing.js';
import type { AccountCall } from './account-calls.js';
import { toTransaction, type RemoteRow, type RowContext } from './to-transaction.js';

const MAX_ROWS_OF_PAGE = 10_000;
const KEY = 'continuation_key';
/** Longer keys would not fit into an address. */
const MAX_KEY = 8_000;

/**
 * Reads a listing to its end (rules/read-listing.ts).
 * @throws ProviderFailure when nothing could be read
 */
export async function readRows(
  call: AccountCall,
  query: Readonly<Record<string, string>>,
  context: RowContext,
): Promise<RemoteRow[]> {
  const { scope } = context;
  const pages = readListing({
    scope,
    keyField: KEY,
    async readPage(key) {
      const asked = key === null ? query : { ...query, [KEY]: key };
      const page = new RemoteObject(await call('transactions', asked), 'page', scope);
      const items = page.list('transactions', MAX_ROWS_OF_PAGE);
      return { items, next: () => nextKeyIn(page) };
    },
  });
  const rows: RemoteRow[] = [];
  for await (const page of pages)
    rows.push(
      ...readEach(page, { ...scope, scope: 'row' }, (remote) => toTransaction(remote, context))
        // Planned and rejected entries are not rows.
        .filter((row) => row !== null),
    );
  return rows;
}

const nextKeyIn = (page: RemoteObject): string | null =>
  page.optional(KEY, (it) => (it.any(KEY) === '' ? null : it.text(KEY, { max: MAX_KEY })));
