import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { InWorld } from '../../prisma/worlds/world-clock.js';
import type {
  RunOutcome,
  WorldRun,
  WorldRunRepository,
} from '../../prisma/sandbox/world-run.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { PRODUCT_FETCHERS } from '../refresh/product-fetchers.js';
import { linkAccess, type LinkAccessDeps } from '../link-access.js';

export interface InPlaceDeps extends LinkAccessDeps {
  runs: Pick<WorldRunRepository, 'settle'>;
  providers: Pick<ProviderRegistry, 'get'>;
}

/**
 * Runs the fetches of a refresh and settles it, without a workflow, for worlds whose clock stands
 * still meanwhile. Nothing is retried: the clock that a delay would follow does not move, and a
 * fault at the bank hits every attempt of one fetch.
 * @returns whether the link has more to fetch now
 */
export async function refreshInPlace(
  deps: InPlaceDeps,
  world: InWorld,
  run: WorldRun,
  signal: AbortSignal,
): Promise<{ more: boolean }> {
  const { runs, providers } = deps;
  const { linkId, remoteId, reference, credential, edition, granted: products, worldTime } = run;
  const provider = providers.get(run.provider);
  const outcomes: RunOutcome[] = [];
  for (const { product, window, fetchKey } of run.products) {
    try {
      outcomes.push({
        kind: 'fetched',
        fetched: await PRODUCT_FETCHERS[product]({
          provider,
          access: linkAccess(
            deps,
            provider,
            {
              linkId,
              remoteId,
              reference,
              credential,
              edition,
              products,
              fetchKey,
              worldTime,
              isScheduled: false,
            },
            signal,
          ),
          window,
        }),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFailure)) throw error;
      outcomes.push({ kind: 'failed', product, cause: error.provider_cause });
      // auth_lost ends the run for all products (link-lifecycle 7.2).
      if (FAILURE_MEANINGS[error.provider_cause].endsPermission) break;
    }
  }
  return runs.settle(world, run, outcomes);
}
