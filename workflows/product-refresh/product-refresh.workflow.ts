import { continueAsNew, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { RefreshPlan } from '../../activities/refresh/refresh-activities.js';
import { SEARCH_ATTRIBUTES } from '../search-attributes.js';
import {
  refreshRequestedSignal,
  type ProductRefreshInput,
  type ProductRefreshResult,
} from './product-refresh.contract.js';
import { RefreshRequests } from './refresh-requests.js';
import { RefreshRunOfLink } from './refresh-run.js';
import { refreshSteps } from './refresh-steps.js';

/**
 * Fetches what was requested of one link. Requests are rows: a run takes those that wait, and the
 * signal only announces more. A second start, or a repeated or lost signal, therefore fetches
 * nothing twice and forgets nothing.
 */
export async function productRefresh(input: ProductRefreshInput): Promise<ProductRefreshResult> {
  const refresh = refreshSteps();
  const requests = new RefreshRequests();
  setHandler(refreshRequestedSignal, () => {
    requests.waiting = true;
  });

  let runs = 0;
  while (requests.waiting) {
    if (requests.areForNextExecution()) await continueAsNew<typeof productRefresh>(input);
    requests.take();
    const plan = await refresh.beginRefreshRun(input.linkId);
    if (plan === null) continue;
    publishPlan(plan);
    await new RefreshRunOfLink(plan, input, refresh, requests).run();
    runs += 1;
  }
  return { runs };
}

function publishPlan({ appId, environment, institutionId, provider, products }: RefreshPlan): void {
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.appId, value: appId },
    { key: SEARCH_ATTRIBUTES.environment, value: environment },
    { key: SEARCH_ATTRIBUTES.institutionId, value: institutionId },
    { key: SEARCH_ATTRIBUTES.provider, value: provider },
    { key: SEARCH_ATTRIBUTES.products, value: products.map(({ product }) => product) },
  ]);
}
