import { malformed, RemoteObject } from '../../http/remote-object.js';
import type { AccountCall } from './account-calls.js';
import { toTransaction, type RemoteRow } from './to-transaction.js';

/** A longer listing never ends. */
const MAX_PAGES = 2_000;
const MAX_ROWS_OF_PAGE = 10_000;

/** Reads a listing to its end. Pages without rows may come before others. */
export async function readRows(
  call: AccountCall,
  query: Readonly<Record<string, string>>,
  context: { accountId: string; today: string },
): Promise<RemoteRow[]> {
  const rows: RemoteRow[] = [];
  const seenKeys = new Set<string>();
  let key: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const next: Record<string, string> = key === null ? {} : { continuation_key: key };
    const response = new RemoteObject(
      await call('transactions', { ...query, ...next }),
      'response',
    );
    for (const remote of response.list('transactions', MAX_ROWS_OF_PAGE)) {
      const row = toTransaction(remote, context);
      if (row !== null) rows.push(row);
    }
    key = response.optional('continuation_key', (it) => it.anyText('continuation_key'));
    if (key === null) return rows;
    if (seenKeys.has(key)) throw malformed('the pages form a loop');
    seenKeys.add(key);
  }
  throw malformed('the pages do not end');
}
