import type { Product } from '../../domain/link/products.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import type { ObserveRefresh } from './observe-refresh.js';
import type { RefreshRunRepository } from '../../prisma/work/refresh/refresh-run.repository.js';
import type { RefreshRun } from '../../prisma/work/refresh/take-refresh-requests.js';

export interface RefreshActivityDeps {
  refresh: Pick<
    RefreshRunRepository,
    'beginRun' | 'joinRun' | 'beginProduct' | 'retriedProduct' | 'failProduct' | 'finishRun'
  >;
  observe?: ObserveRefresh;
}

/**
 * The products that a run has to fetch, without the row's key (not serializable) and the fields
 * that no workflow needs.
 */
export type RefreshPlan = Omit<RefreshRun, 'linkPk' | 'granted'>;

/** One product of one run. */
export interface ProductOfRun {
  linkId: string;
  /** The run, or one attempt in it. */
  run: string;
  product: Product;
}

/** The final failure of a product, with its known details. */
export interface FailureOfProduct extends ProductOfRun {
  cause: ProviderCause;
  /** The source accepts no other call before this time; ISO 8601. */
  until?: string;
  /** The source was not called: a quota counted here has no calls left. */
  isOurQuota?: true;
}

/** Refresh activities that use only the database. Writes of a superseded run do nothing. */
export function createRefreshActivities({ refresh, observe }: RefreshActivityDeps) {
  return {
    /** Also starts its products, unless the source is updated first. */
    async beginRefreshRun(linkId: string): Promise<RefreshPlan | null> {
      return planOf(await refresh.beginRun(linkId));
    },

    async joinRefreshRun({
      linkId,
      run,
    }: {
      linkId: string;
      run: string;
    }): Promise<RefreshPlan | null> {
      return planOf(await refresh.joinRun(linkId, run));
    },

    /**
     * @returns the id of the attempt, for `fetchProduct`; null when the product must not be fetched
     */
    async beginProduct({ linkId, run, product }: ProductOfRun): Promise<string | null> {
      return refresh.beginProduct(linkId, run, product);
    },

    async retryProduct({ linkId, run, product }: ProductOfRun): Promise<string | null> {
      return refresh.retriedProduct(linkId, run, product);
    },

    async failProduct({
      linkId,
      run,
      product,
      cause,
      until,
      isOurQuota,
    }: FailureOfProduct): Promise<void> {
      const failed = await refresh.failProduct(linkId, run, product, cause, {
        until: until === undefined ? null : new Date(until),
        isOurQuota: isOurQuota === true,
      });
      if (failed !== null)
        observe?.({ ...failed, product, outcome: isOurQuota === true ? 'quota_used_up' : cause });
    },

    async finishRefreshRun({
      linkId,
      run,
      anySucceeded,
    }: {
      linkId: string;
      run: string;
      anySucceeded: boolean;
    }): Promise<void> {
      await refresh.finishRun(linkId, run, { anySucceeded });
    },
  };
}

function planOf(run: RefreshRun | null): RefreshPlan | null {
  if (run === null) return null;
  const { linkPk: _, granted: __, ...plan } = run;
  return plan;
}

export type RefreshActivities = ReturnType<typeof createRefreshActivities>;
