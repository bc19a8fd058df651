import type {
  DayWindow,
  FetchedListing,
  FetchedTransaction,
} from '../../domain/refresh/fetched-data.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { contentOf } from '../../domain/digests/row-content.js';
import { distinctRows } from '../../providers/http/distinct-rows.js';
import { newRows } from '../../providers/http/new-rows.js';
import type { ProviderAccess, ProviderTransactionPage } from '../../providers/contract/provider.js';

/**
 * More rows than any real link has: a longer listing counts as endless. Also bounds the memory of a
 * fetch.
 */
const MAX_ROWS = 100_000;

/**
 * Reads a whole listing before any of it is stored, so that an error on the last page changes
 * nothing. Each row has an id of its own. `window`: the days covered; null = none.
 * @throws ProviderFailure
 */
export async function readListing(
  pages: AsyncIterable<ProviderTransactionPage>,
  window: DayWindow,
  access: Pick<ProviderAccess, 'note'>,
): Promise<Pick<FetchedListing, 'window' | 'unreported'> & { transactions: FetchedTransaction[] }> {
  const transactions: FetchedTransaction[] = [];
  const isNew = newRows(access);
  let covered: DayWindow | null = window;
  const unreported = new Set<string>();
  for await (const page of pages) {
    if (page.covered !== undefined) covered = page.covered;
    for (const accountId of page.unreported ?? []) unreported.add(accountId);
    for (const row of page.transactions) if (isNew(row)) transactions.push(row);
    if (transactions.length > MAX_ROWS)
      throw new ProviderFailure('malformed', 'The listing of transactions does not end.');
  }
  return {
    transactions: distinctRows(transactions, contentOf),
    window: covered,
    unreported: [...unreported],
  };
}
