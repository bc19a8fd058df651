import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { FetchActivities } from '../../activities/refresh/fetch-activities.js';
import type { RefreshActivities } from '../../activities/refresh/refresh-activities.js';
import { BATCH, DATABASE } from '../activity-options.js';
import { oneAtATime } from '../one-at-a-time.js';
import { providerQueue } from '../task-queues.js';

/** Requests, product states and the fence of the run; one for each workflow. */
export function refreshSteps(): RefreshActivities {
  return oneAtATime(proxyLocalActivities<RefreshActivities>(DATABASE));
}

/** Fetching at the bank, on the queue of its provider. A fetch that is given up is not awaited: its writes are fenced. */
export function bankOf(provider: string, summary: string): FetchActivities {
  return proxyActivities<FetchActivities>({
    ...BATCH,
    taskQueue: providerQueue(provider),
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    summary,
  });
}
