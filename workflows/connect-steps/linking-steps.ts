import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { LoginActivities } from '../../activities/linking/login-activities.js';
import { DATABASE, INTERACTIVE, LONG_POLL } from '../activity-options.js';
import { oneAtATime } from '../one-at-a-time.js';
import { providerQueue } from '../task-queues.js';

/** Reads and writes of the session and its link. One instance per workflow. */
export function linkingSteps(): LinkingActivities {
  return oneAtATime(proxyLocalActivities<LinkingActivities>(DATABASE));
}

/** Polls the bank, on the task queue of its provider. */
export function pollingBankOf(
  provider: string,
  summary: string,
): Pick<LoginActivities, 'awaitBank'> {
  return proxyActivities<LoginActivities>({
    ...LONG_POLL,
    taskQueue: providerQueue(provider),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}

/**
 * Calls the bank, on the task queue of its provider. A canceled call is awaited, so that the
 * workflow knows whether the bank accepted the login after all.
 */
export function bankOf(provider: string, summary: string): LoginActivities {
  return proxyActivities<LoginActivities>({
    ...INTERACTIVE,
    taskQueue: providerQueue(provider),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}
