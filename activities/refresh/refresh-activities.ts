import type { Product } from '../../domain/link/products.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import type { RefreshRepository, RefreshRun } from '../../prisma/refresh/refresh.repository.js';

export interface RefreshActivityDeps {
  refresh: Pick<
    RefreshRepository,
    'beginRun' | 'joinRun' | 'beginProduct' | 'retriedProduct' | 'failProduct' | 'finishRun'
  >;
}

/** What a run was asked to fetch; the row's own key stays behind, since it is no text, and what nobody needs here. */
export type RefreshPlan = Omit<RefreshRun, 'linkPk' | 'granted'>;

/** One product of one run. */
export interface ProductOfRun {
  linkId: string;
  /** The run, or the name of one try in it. */
  run: string;
  product: Product;
}

/** Steps of a refresh that only touch the database. Writes of a run that was superseded do nothing. */
export function createRefreshActivities({ refresh }: RefreshActivityDeps) {
  return {
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

    /** The name of the try, for `fetchProduct`; null = it must not be fetched. */
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
    }: ProductOfRun & { cause: ProviderCause }): Promise<void> {
      await refresh.failProduct(linkId, run, product, cause);
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
