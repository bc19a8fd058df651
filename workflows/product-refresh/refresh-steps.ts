import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { FetchActivities } from '../../activities/refresh/fetch-activities.js';
import type { UpdateActivities } from '../../activities/refresh/update-activities.js';
import type { RefreshActivities } from '../../activities/refresh/refresh-activities.js';
import { BATCH, DATABASE } from '../activity-options.js';
import { oneAtATime } from '../one-at-a-time.js';
import { providerQueue } from '../task-queues.js';

/** Requests, product states and the fencing of the run. One instance per workflow. */
export function refreshSteps(): RefreshActivities {
  return oneAtATime(proxyLocalActivities<RefreshActivities>(DATABASE));
}

/**
 * Fetches from the bank, on the task queue of its provider. The workflow does not wait for an
 * abandoned fetch: its writes are fenced.
 */
export function bankOf(provider: string, summary: string): FetchActivities {
  return proxyActivities<FetchActivities>({
    ...BATCH,
    taskQueue: providerQueue(provider),
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    summary,
  });
}

/**
 * Makes the source update from its bank. Each call is short: it starts an update or checks its
 * progress.
 */
export function updateOf(provider: string, summary: string): UpdateActivities {
  return proxyActivities<UpdateActivities>({
    ...BATCH,
    startToCloseTimeout: 150_000,
    taskQueue: providerQueue(provider),
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    summary,
  });
}
