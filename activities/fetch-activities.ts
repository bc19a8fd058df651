import type { DayWindow } from '../domain/fetched-data.js';
import type { RefreshRepository } from '../prisma/repositories/refresh.repository.js';
import type { ProviderRegistry } from '../providers/registry.js';
import { withHeartbeats } from './heartbeats.js';
import { PRODUCT_FETCHERS, type ProductStore, type Stored } from './product-fetchers.js';
import type { ProductOfRun } from './refresh-activities.js';

export interface FetchActivityDeps {
  refresh: Pick<RefreshRepository, 'access'> & ProductStore;
  providers: Pick<ProviderRegistry, 'get'>;
}

export interface ProductFetch extends ProductOfRun {
  /** The days to ask for; null for products that have no rows. */
  window: DayWindow | null;
}

/** Counts only: rows are stored here and go no further. `stale` = the run may not write any more. */
export type FetchResult = ({ kind: 'stored' } & Stored) | { kind: 'stale' };

/** Fetching at a bank; runs on the queue of its provider. */
export function createFetchActivities({ refresh, providers }: FetchActivityDeps) {
  return {
    async fetchProduct({ linkId, run, product, window }: ProductFetch): Promise<FetchResult> {
      return withHeartbeats(async (signal) => {
        const found = await refresh.access(linkId, product);
        if (found === null) return { kind: 'stale' };
        const { remoteId, credential, fetchKey, worldTime, matchRows } = found;
        const access = { remoteId, credential, fetchKey, worldTime, signal };
        try {
          const stored = await PRODUCT_FETCHERS[product]({ provider: providers.get(found.provider), access, linkId, run, window, matchRows }, refresh);
          return { kind: 'stored', ...stored };
        } catch (error) {
          if (error instanceof Error && error.name === 'StaleRefreshRun') return { kind: 'stale' };
          throw error;
        }
      });
    },
  };
}

export type FetchActivities = ReturnType<typeof createFetchActivities>;
