import { continueAsNew, setHandler } from '@temporalio/workflow';
import { CurrentDetails } from '../details/current-details.js';
import { publishPlan } from './publish-plan.js';
import {
  refreshRequestedSignal,
  type ProductRefreshInput,
  type ProductRefreshResult,
} from './product-refresh.contract.js';
import { RefreshRequests } from './refresh-requests.js';
import { runRefresh } from './refresh-run.js';
import { refreshSteps } from './refresh-steps.js';

/**
 * Fetches the requested products of one link. Requests are rows: a run collects the waiting ones,
 * and the signal only announces more. A second start, or a repeated or lost signal, therefore
 * fetches nothing twice and misses nothing.
 */
export async function productRefresh(input: ProductRefreshInput): Promise<ProductRefreshResult> {
  const refresh = refreshSteps();
  const requests = new RefreshRequests();
  const details = new CurrentDetails();
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
    await runRefresh(plan, input, { refresh, requests, details });
    runs += 1;
  }
  return { runs };
}
