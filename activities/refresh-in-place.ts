import { FAILURE_MEANINGS } from '../domain/failure-mapping.js';
import { ProviderFailure } from '../domain/provider-failure.js';
import type { RefreshRepository, RefreshRun } from '../prisma/repositories/refresh.repository.js';
import type { ProviderRegistry } from '../providers/registry.js';
import { PRODUCT_FETCHERS, type ProductStore } from './product-fetchers.js';

export interface InPlaceDeps {
  refresh: Pick<RefreshRepository, 'access' | 'beginRun' | 'beginProduct' | 'failProduct' | 'finishRun'> & ProductStore;
  providers: Pick<ProviderRegistry, 'get'>;
}

/**
 * A run from its beginning to its end without a workflow, for worlds that stand still while it lasts. Nothing is tried
 * again: the clock that a wait would follow does not move, and a fault at the bank strikes every try of one fetch.
 */
export async function refreshInPlace({ refresh, providers }: InPlaceDeps, plan: RefreshRun | null, signal: AbortSignal): Promise<void> {
  if (plan === null) return;
  const { linkId, run } = plan;
  let anySucceeded = false;
  for (const { product, window } of plan.products) {
    const named = await refresh.beginProduct(linkId, run, product);
    if (named === null) continue;
    try {
      const found = await refresh.access(linkId, product);
      if (found === null) continue;
      const { remoteId, credential, fetchKey, worldTime, matchRows } = found;
      await PRODUCT_FETCHERS[product]({ provider: providers.get(found.provider), access: { remoteId, credential, fetchKey, worldTime, signal }, linkId, run: named, window, matchRows }, refresh);
      anySucceeded = true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Error && error.name === 'StaleRefreshRun') return;
      if (!(error instanceof ProviderFailure)) throw error;
      await refresh.failProduct(linkId, run, product, error.provider_cause);
      // auth_lost ends the run for all products (link-lifecycle 7.2)
      if (FAILURE_MEANINGS[error.provider_cause].endsPermission) break;
    }
  }
  await refresh.finishRun(linkId, run, { anySucceeded });
}
