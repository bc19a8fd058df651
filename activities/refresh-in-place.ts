import { FAILURE_MEANINGS } from '../domain/failure-mapping.js';
import { ProviderFailure } from '../domain/provider-failure.js';
import type { RefreshRepository, RefreshRun } from '../prisma/repositories/refresh.repository.js';
import { fetchProduct, type FetchDeps } from './fetch-product.js';

export interface InPlaceDeps extends FetchDeps {
  refresh: FetchDeps['refresh'] & Pick<RefreshRepository, 'beginRun' | 'beginProduct' | 'failProduct' | 'finishRun'>;
}

/**
 * A run from its beginning to its end without a workflow, for worlds that stand still while it lasts. Nothing is tried
 * again: the clock that a wait would follow does not move, and a fault at the bank strikes every try of one fetch.
 */
export async function refreshInPlace(deps: InPlaceDeps, plan: RefreshRun | null, signal: AbortSignal): Promise<void> {
  if (plan === null) return;
  const { refresh } = deps;
  const { linkId, run } = plan;
  let anySucceeded = false;
  for (const { product, window } of plan.products) {
    const named = await refresh.beginProduct(linkId, run, product);
    if (named === null) continue;
    try {
      const stored = await fetchProduct(deps, { linkId, product, run: named, window }, signal);
      if (stored !== null) anySucceeded = true;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFailure)) throw error;
      await refresh.failProduct(linkId, run, product, error.provider_cause);
      // auth_lost ends the run for all products (link-lifecycle 7.2)
      if (FAILURE_MEANINGS[error.provider_cause].endsPermission) break;
    }
  }
  await refresh.finishRun(linkId, run, { anySucceeded });
}
