import type { DayWindow, FetchedTransaction } from '../domain/fetched-data.js';
import { ProviderFailure } from '../domain/provider-failure.js';
import type { RefreshRepository } from '../prisma/repositories/refresh.repository.js';
import type { Provider, ProviderAccess } from '../providers/provider.js';
import type { ProviderRegistry } from '../providers/registry.js';
import { withHeartbeats } from './heartbeats.js';
import type { ProductOfRun } from './refresh-activities.js';

export interface FetchActivityDeps {
  refresh: Pick<RefreshRepository, 'access' | 'storeAccounts' | 'storeTransactions'>;
  providers: Pick<ProviderRegistry, 'get'>;
}

export interface ProductFetch extends ProductOfRun {
  /** The days to ask for; null for products that have no rows. */
  window: DayWindow | null;
}

/** Counts only: rows are stored here and go no further. `stale` = the run may not write any more. */
export type FetchResult = { kind: 'stored'; created: number; updated: number; removed: number } | { kind: 'stale' };

/** What one database transaction takes. */
const BATCH_ROWS = 1_000;

/** Fetching at a bank; runs on the queue of its provider. */
export function createFetchActivities({ refresh, providers }: FetchActivityDeps) {
  return {
    async fetchProduct({ linkId, run, product, window }: ProductFetch): Promise<FetchResult> {
      return withHeartbeats(async (signal) => {
        const found = await refresh.access(linkId);
        if (found === null) return { kind: 'stale' };
        const provider = providers.get(found.provider);
        const access = { remoteId: found.remoteId, credential: found.credential, signal };
        try {
          if (product === 'accounts') return await fetchAccounts(provider, access, { linkId, run });
          if (product === 'transactions' && window !== null) return await fetchTransactions(provider, access, { linkId, run, window });
        } catch (error) {
          if (error instanceof Error && error.name === 'StaleRefreshRun') return { kind: 'stale' };
          throw error;
        }
        throw new ProviderFailure('not_supported', `The provider does not bring ${product}.`);
      });
    },
  };

  async function fetchAccounts(provider: Provider, access: ProviderAccess, { linkId, run }: { linkId: string; run: string }): Promise<FetchResult> {
    const accounts = await provider.fetchAccounts(access);
    const { changed } = await refresh.storeAccounts(linkId, run, accounts);
    return { kind: 'stored', created: 0, updated: changed, removed: 0 };
  }

  async function fetchTransactions(provider: Provider, access: ProviderAccess, { linkId, run, window }: { linkId: string; run: string; window: DayWindow }): Promise<FetchResult> {
    if (provider.fetchTransactions === undefined) throw new ProviderFailure('not_supported', 'The provider does not bring transactions.');
    const stored = { created: 0, updated: 0, removed: 0 };
    const seenIds: string[] = [];
    let covered: DayWindow | null = window;
    let waiting: FetchedTransaction[] = [];
    const store = async (transactions: FetchedTransaction[], last: boolean) => {
      const counts = await refresh.storeTransactions(linkId, run, { transactions, last, window: covered, seenIds });
      stored.created += counts.created;
      stored.updated += counts.updated;
      stored.removed += counts.removed;
      seenIds.push(...transactions.map(({ providerTransactionId }) => providerTransactionId));
    };
    for await (const page of provider.fetchTransactions(access, window)) {
      if (page.covered !== undefined) covered = page.covered;
      waiting.push(...page.transactions);
      while (waiting.length > BATCH_ROWS) {
        await store(waiting.slice(0, BATCH_ROWS), false);
        waiting = waiting.slice(BATCH_ROWS);
      }
    }
    await store(waiting, true);
    return { kind: 'stored', ...stored };
  }
}

export type FetchActivities = ReturnType<typeof createFetchActivities>;
