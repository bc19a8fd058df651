import type {
  DayWindow,
  FetchedListing,
  FetchedTransaction,
} from '../../domain/refresh/fetched-data.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { ProviderTransactionPage } from '../../providers/provider.js';

/**
 * More rows than any real link has: a longer listing never ends. Also bounds the memory of a fetch.
 */
const MAX_ROWS = 100_000;

/**
 * Reads a listing to its end before any of it is stored, so that an error on the last page changes
 * nothing. `window`: the days covered; null = none.
 * @throws ProviderFailure
 */
export async function readListing(
  pages: AsyncIterable<ProviderTransactionPage>,
  window: DayWindow,
): Promise<Pick<FetchedListing, 'window' | 'unreported'> & { transactions: FetchedTransaction[] }> {
  const rows = new Map<string, FetchedTransaction>();
  let covered: DayWindow | null = window;
  const unreported = new Set<string>();
  for await (const page of pages) {
    if (page.covered !== undefined) covered = page.covered;
    for (const accountId of page.unreported ?? []) unreported.add(accountId);
    for (const row of page.transactions) {
      if (rows.has(row.providerTransactionId))
        throw new ProviderFailure('malformed', 'A transaction id occurs twice in one listing.');
      rows.set(row.providerTransactionId, row);
    }
    if (rows.size > MAX_ROWS)
      throw new ProviderFailure('malformed', 'The listing of transactions does not end.');
  }
  return { transactions: [...rows.values()], window: covered, unreported: [...unreported] };
}
