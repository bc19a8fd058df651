import type { FetchedProductRepository } from '../../prisma/work/refresh/fetched-product.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';
import { linkAccess, type LinkAccessDeps } from '../link-access.js';

export interface UpdateDeps extends LinkAccessDeps {
  refresh: Pick<FetchedProductRepository, 'updateAccess' | 'keepUpdateState'>;
  providers: Pick<ProviderRegistry, 'get'>;
}

export interface UpdateOfRun {
  linkId: string;
  run: string;
  /** The first call of the run, which starts the update. */
  isFirst: boolean;
}

/** `stale`: the run may no longer write. The state of a pending update stays sealed in its row. */
export type UpdateResult =
  | { kind: 'done' | 'skipped' | 'stale' }
  | { kind: 'pending'; askAgainAfterMs: number };

/**
 * Makes sources update from their banks before they are read. Runs on the task queue of the
 * provider.
 */
export function createUpdateActivities(deps: UpdateDeps) {
  const { refresh, providers } = deps;
  return {
    async updateAtProvider({ linkId, run, isFirst }: UpdateOfRun): Promise<UpdateResult> {
      const found = await refresh.updateAccess(linkId, run);
      if (found === null) return { kind: 'stale' };
      const { provider: name, wanted, wholeHistory, cause, state, ...facts } = found;
      const provider = providers.get(name);
      return withHeartbeats(async (signal) => {
        const outcome = await provider.update?.(linkAccess(deps, provider, facts, signal), {
          products: wanted,
          wholeHistory,
          cause,
          state: isFirst ? null : state,
        });
        if (outcome?.kind !== 'pending') {
          await refresh.keepUpdateState(facts, run, null);
          return { kind: outcome?.kind ?? 'done' };
        }
        await refresh.keepUpdateState(facts, run, outcome.state);
        return { kind: 'pending', askAgainAfterMs: outcome.askAgainAfterMs };
      });
    },
  };
}

export type UpdateActivities = ReturnType<typeof createUpdateActivities>;
