import type { DayWindow } from '../../domain/refresh/fetched-data.js';
import type { Product } from '../../domain/link/products.js';
import type { RefreshRepository } from '../../prisma/refresh/refresh.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { PRODUCT_FETCHERS } from './product-fetchers.js';
import { storeFetched, type ProductStore, type Stored } from './store-fetched.js';

export interface FetchDeps {
  refresh: Pick<RefreshRepository, 'access'> & ProductStore;
  providers: Pick<ProviderRegistry, 'get'>;
}

export interface ProductFetch {
  linkId: string;
  product: Product;
  /** The name of the try. */
  run: string;
  /** The days to ask for; null for products that have no rows. */
  window: DayWindow | null;
}

/**
 * Fetches one product of a run at its provider and stores it; null = the run may not write any more, or nobody fetches
 * this product now. @throws ProviderFailure
 */
export async function fetchProduct(
  { refresh, providers }: FetchDeps,
  { linkId, product, run, window }: ProductFetch,
  signal: AbortSignal,
): Promise<Stored | null> {
  const found = await refresh.access(linkId, product);
  if (found === null) return null;
  const { provider, remoteId, credential, products, fetchKey, worldTime, matchRows } = found;
  const access = { remoteId, credential, products, fetchKey, worldTime, signal };
  try {
    const fetched = await PRODUCT_FETCHERS[product]({
      provider: providers.get(provider),
      access,
      window,
    });
    return await storeFetched(refresh, fetched, { linkId, run, matchRows });
  } catch (error) {
    if (error instanceof Error && error.name === 'StaleRefreshRun') return null;
    throw error;
  }
}
