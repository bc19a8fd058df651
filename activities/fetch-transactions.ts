import type { DayWindow, FetchedTransaction } from '../domain/fetched-data.js';
import type { TransactionBatch } from '../prisma/repositories/refresh.repository.js';
import type { ProviderTransactionPage } from '../providers/provider.js';
import type { Stored } from './product-fetchers.js';

/** What one database transaction takes. */
const BATCH_ROWS = 1_000;

/** Stores pages as they come, in batches; the last one says which days the fetch covered and which rows it saw. */
export async function fetchTransactions(pages: AsyncIterable<ProviderTransactionPage>, window: DayWindow, storeBatch: (batch: TransactionBatch) => Promise<Stored>): Promise<Stored> {
  const stored = { created: 0, updated: 0, removed: 0 };
  const seenIds: string[] = [];
  let covered: DayWindow | null = window;
  let waiting: FetchedTransaction[] = [];
  const store = async (transactions: FetchedTransaction[], last: boolean) => {
    const counts = await storeBatch({ transactions, last, window: covered, seenIds });
    stored.created += counts.created;
    stored.updated += counts.updated;
    stored.removed += counts.removed;
    seenIds.push(...transactions.map(({ providerTransactionId }) => providerTransactionId));
  };
  for await (const page of pages) {
    if (page.covered !== undefined) covered = page.covered;
    waiting.push(...page.transactions);
    while (waiting.length > BATCH_ROWS) {
      await store(waiting.slice(0, BATCH_ROWS), false);
      waiting = waiting.slice(BATCH_ROWS);
    }
  }
  await store(waiting, true);
  return stored;
}
