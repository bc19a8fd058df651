import { readEach, readPart, Unreadable } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import { concernsOneAccount } from '../client/failure-table.js';
import type { AccountCall } from './account-calls.js';
import { toTransaction, type RemoteRow, type RowContext } from './to-transaction.js';

/** The maximum number of calls for one listing; further rows are not read. */
const MAX_PAGES = 50;
/** Pages without rows precede others, but not many in succession. */
const MAX_EMPTY_PAGES = 10;
const MAX_ROWS_OF_PAGE = 10_000;
/** Longer keys would not fit into an address. */
const MAX_KEY = 8_000;

/**
 * Reads a listing to its end. If it breaks off, repeats itself or does not end, the rows read so
 * far are returned, and the account is noted as incomplete.
 * @throws ProviderFailure when nothing could be read
 */
export async function readRows(
  call: AccountCall,
  query: Readonly<Record<string, string>>,
  context: RowContext,
): Promise<RemoteRow[]> {
  const { scope } = context;
  const rows: RemoteRow[] = [];
  const seenKeys = new Set<string>();
  const stop = (field: string, reason: 'repeated' | 'endless' | 'refused'): RemoteRow[] => {
    scope.note({ scope: 'account', account: scope.account, resource: 'page', field, reason });
    return rows;
  };
  let empty = 0;
  let key: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response: RemoteObject | null = await nextPage(call, query, key, context).catch(
      (error: unknown) => {
        if (page === 0 || !concernsOneAccount(error)) throw error;
        return null;
      },
    );
    if (response === null) return stop('', 'refused');
    const listed = response.maybe('transactions', (it) =>
      it.list('transactions', MAX_ROWS_OF_PAGE),
    );
    if (listed === null && page === 0)
      throw new Unreadable('page', 'transactions', 'wrong_type', 'a list');
    if (listed === null) return stop('transactions', 'refused');
    rows.push(
      ...readEach(listed, { ...scope, scope: 'row' }, (remote) => toTransaction(remote, context))
        // Planned and rejected entries are not rows.
        .filter((row) => row !== null),
    );
    empty = listed.length === 0 ? empty + 1 : 0;
    const next = nextKeyIn(response, context);
    if (next === null) return rows;
    // The last page of some banks repeats its own key.
    if (next === key) return rows;
    if (seenKeys.has(next)) return stop('continuation_key', 'repeated');
    if (empty >= MAX_EMPTY_PAGES) return stop('continuation_key', 'endless');
    seenKeys.add(next);
    key = next;
  }
  return stop('continuation_key', 'endless');
}

/** Also null if it is unreadable, which is noted. */
function nextKeyIn(response: RemoteObject, { scope }: RowContext): string | null {
  return readPart({ ...scope, scope: 'account' }, () =>
    response.optional('continuation_key', (it) =>
      it.any('continuation_key') === '' ? null : it.text('continuation_key', { max: MAX_KEY }),
    ),
  );
}

async function nextPage(
  call: AccountCall,
  query: Readonly<Record<string, string>>,
  key: string | null,
  { scope }: RowContext,
): Promise<RemoteObject> {
  const next: Record<string, string> = key === null ? {} : { continuation_key: key };
  return new RemoteObject(await call('transactions', { ...query, ...next }), 'page', scope);
}
