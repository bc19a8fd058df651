import type { DayWindow, FetchedTransaction } from '../domain/fetched-data.js';
import { ProviderFailure } from '../domain/provider-failure.js';
import type { TransactionBatch } from '../prisma/repositories/refresh.repository.js';
import type { ProviderTransactionPage } from '../providers/provider.js';
import type { Stored } from './product-fetchers.js';

/** What one database transaction takes. */
const BATCH_ROWS = 1_000;
/** No link has so many: a source that goes on beyond does not end. It also bounds the memory a fetch takes. */
const MOST_ROWS = 100_000;

export interface RowStore {
  /** Told of the whole listing before any of it is stored. */
  match: (fetched: { transactions: readonly FetchedTransaction[]; window: DayWindow | null }) => Promise<void>;
  storeBatch: (batch: TransactionBatch) => Promise<Stored>;
}

/**
 * Reads a listing to its end and then stores it in batches, the last of which says which days it covered and which rows
 * it showed. A listing that turns out to be wrong on its last page has changed nothing.
 */
export async function fetchTransactions(pages: AsyncIterable<ProviderTransactionPage>, window: DayWindow, { match, storeBatch }: RowStore): Promise<Stored> {
  const { rows, covered } = await readListing(pages, window);
  const ids = [...rows.keys()];
  const transactions = [...rows.values()];
  await match({ transactions, window: covered });
  const total = { created: 0, updated: 0, removed: 0 };
  for (let from = 0; from === 0 || from < transactions.length; from += BATCH_ROWS) {
    const last = from + BATCH_ROWS >= transactions.length;
    const { created, updated, removed } = await storeBatch({ transactions: transactions.slice(from, from + BATCH_ROWS), last, window: covered, seenIds: last ? ids.slice(0, from) : [] });
    total.created += created;
    total.updated += updated;
    total.removed += removed;
  }
  return total;
}

async function readListing(pages: AsyncIterable<ProviderTransactionPage>, window: DayWindow) {
  const rows = new Map<string, FetchedTransaction>();
  let covered: DayWindow | null = window;
  for await (const page of pages) {
    if (page.covered !== undefined) covered = page.covered;
    for (const row of page.transactions) {
      if (rows.has(row.providerTransactionId)) throw new ProviderFailure('malformed', 'A transaction id occurs twice in one listing.');
      rows.set(row.providerTransactionId, row);
    }
    if (rows.size > MOST_ROWS) throw new ProviderFailure('malformed', 'The listing of transactions does not end.');
  }
  return { rows, covered };
}
