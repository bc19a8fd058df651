import { StaleRefreshRun } from '../../domain/errors/change-refused.js';
import type { DayWindow } from '../../domain/refresh/fetched-data.js';
import type { Product } from '../../domain/link/products.js';
import type { FetchedProductRepository } from '../../prisma/work/refresh/fetched-product.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { linkAccess, type LinkAccessDeps } from '../link-access.js';
import type { ObserveRefresh } from './observe-refresh.js';
import { reportFaults, SourceFaults, type ObserveFaults } from '../source-faults.js';
import { readProduct } from './read-product.js';
import { storeFetched, type ProductStore, type StoredCounts } from './store-fetched.js';

export interface FetchDeps extends LinkAccessDeps {
  refresh: Pick<FetchedProductRepository, 'access'> & ProductStore;
  providers: Pick<ProviderRegistry, 'get'>;
  observe?: ObserveRefresh;
  observeFaults?: ObserveFaults;
  /** Updates the recurring payments of a link that were read before; never throws. */
  updateStreams?: (linkId: string) => Promise<void>;
}

export interface ProductFetch {
  linkId: string;
  product: Product;
  /** Identifies this attempt of the run. */
  run: string;
  /** Days to fetch; null for products without rows. */
  window: DayWindow | null;
}

/**
 * Fetches one product of a run and stores it. Null when the run may no longer write or the product
 * should not be fetched now.
 * @throws ProviderFailure
 */
export async function fetchProduct(
  deps: FetchDeps,
  { linkId, product, run, window }: ProductFetch,
  signal: AbortSignal,
): Promise<StoredCounts | null> {
  const { refresh, providers } = deps;
  const found = await refresh.access(linkId, product);
  if (found === null) return null;
  const { provider: name, matchRows, ...facts } = found;
  const provider = providers.get(name);
  const faults = new SourceFaults();
  try {
    const access = linkAccess(deps, provider, { ...facts, note: faults.note }, signal);
    const fetched = await readProduct(product, { provider, access, window, faults });
    const { mayChangeStreams, ...counts } = await storeFetched(refresh, fetched, {
      linkId,
      run,
      matchRows,
    });
    deps.observe?.({ provider: name, product, outcome: 'completed' });
    if (mayChangeStreams) await deps.updateStreams?.(linkId);
    return counts;
  } catch (error) {
    if (error instanceof StaleRefreshRun) return null;
    faults.fail(error);
    throw error;
  } finally {
    reportFaults(deps.observeFaults, provider, { linkId, operation: product }, faults);
  }
}
