import { fetchProduct, type FetchDeps, type ProductFetch } from './fetch-product.js';
import { withHeartbeats } from '../heartbeats.js';
import type { StoredCounts } from './store-fetched.js';

/** Counts only; rows are stored here and not returned. `stale`: the run may no longer write. */
export type FetchResult = ({ kind: 'stored' } & StoredCounts) | { kind: 'stale' };

/** Fetches products from a bank. Runs on the task queue of its provider. */
export function createFetchActivities(deps: FetchDeps) {
  return {
    async fetchProduct(request: ProductFetch): Promise<FetchResult> {
      return withHeartbeats(async (signal) => {
        const stored = await fetchProduct(deps, request, signal);
        return stored === null ? { kind: 'stale' } : { kind: 'stored', ...stored };
      });
    },
  };
}

export type FetchActivities = ReturnType<typeof createFetchActivities>;
