import type {
  DayWindow,
  FetchedListing,
  FetchedTransaction,
} from '../../domain/refresh/fetched-data.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { SourceFault } from '../../domain/refresh/source-fault.js';
import type { ProviderAccess, ProviderTransactionPage } from '../../providers/provider.js';

/**
 * More rows than any real link has: a longer listing never ends. Also bounds the memory of a fetch.
 */
const MAX_ROWS = 100_000;

/**
 * Reads a listing to its end before any of it is stored, so that an error on the last page changes
 * nothing. Each id counts once. `window`: the days covered; null = none.
 * @throws ProviderFailure
 */
export async function readListing(
  pages: AsyncIterable<ProviderTransactionPage>,
  window: DayWindow,
  { note }: Pick<ProviderAccess, 'note'>,
): Promise<Pick<FetchedListing, 'window' | 'unreported'> & { transactions: FetchedTransaction[] }> {
  const rows = new Map<string, FetchedTransaction>();
  let covered: DayWindow | null = window;
  const unreported = new Set<string>();
  for await (const page of pages) {
    if (page.covered !== undefined) covered = page.covered;
    for (const accountId of page.unreported ?? []) unreported.add(accountId);
    for (const row of page.transactions) {
      const known = rows.get(row.providerTransactionId);
      if (known === undefined) rows.set(row.providerTransactionId, row);
      else note(repeated(known, row));
    }
    if (rows.size > MAX_ROWS)
      throw new ProviderFailure('malformed', 'The listing of transactions does not end.');
  }
  return { transactions: [...rows.values()], window: covered, unreported: [...unreported] };
}

/** The same row again takes nothing away; another row under the same id is lost. */
function repeated(known: FetchedTransaction, row: FetchedTransaction): SourceFault {
  return {
    scope: JSON.stringify(known) === JSON.stringify(row) ? 'value' : 'row',
    account: row.providerAccountId,
    resource: 'transaction',
    field: 'id',
    reason: 'repeated',
  };
}
