import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { InWorld } from '../../prisma/worlds/world-clock.js';
import type {
  RunOutcome,
  WorldRun,
  WorldRunRepository,
} from '../../prisma/work/sandbox/world-run.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { readProduct } from '../refresh/read-product.js';
import { reportFaults, SourceFaults, type ObserveFaults } from '../source-faults.js';
import { linkAccess, type LinkAccessDeps } from '../link-access.js';

export interface InPlaceDeps extends LinkAccessDeps {
  runs: Pick<WorldRunRepository, 'settle'>;
  providers: Pick<ProviderRegistry, 'get'>;
  observeFaults?: ObserveFaults;
}

/**
 * Runs the fetches of a refresh and settles it, without a workflow, for worlds whose clock is
 * stopped in the meantime. Nothing is retried: the clock that a delay would follow does not move,
 * and a fault at the bank affects every attempt of one fetch.
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
    const faults = new SourceFaults();
    try {
      outcomes.push({
        kind: 'fetched',
        fetched: await readProduct(product, {
          provider,
          faults,
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
              note: faults.note,
            },
            signal,
          ),
          window,
        }),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFailure)) throw error;
      outcomes.push({ kind: 'failed', product, cause: error.providerCause });
      // auth_lost ends the run for all products (link-lifecycle 7.2).
      if (FAILURE_MEANINGS[error.providerCause].endsPermission) break;
    } finally {
      reportFaults(deps.observeFaults, provider, { linkId, operation: product }, faults);
    }
  }
  return runs.settle(world, run, outcomes);
}
