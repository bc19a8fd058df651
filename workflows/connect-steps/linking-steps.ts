import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { LoginActivities } from '../../activities/linking/login-activities.js';
import { DATABASE, INTERACTIVE, PATIENT } from '../activity-options.js';
import { oneAtATime } from '../one-at-a-time.js';
import { providerQueue } from '../task-queues.js';

/** Reads and writes of the session and its link; one for each workflow. */
export function linkingSteps(): LinkingActivities {
  return oneAtATime(proxyLocalActivities<LinkingActivities>(DATABASE));
}

/** Waiting for the bank, on the queue of its provider. */
export function patientBankOf(
  provider: string,
  summary: string,
): Pick<LoginActivities, 'awaitBank'> {
  return proxyActivities<LoginActivities>({
    ...PATIENT,
    taskQueue: providerQueue(provider),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}

/**
 * Calls at the bank, on the queue of its provider. A cancelled call is awaited, so that nobody has to guess whether
 * the bank accepted the login after all.
 */
export function bankOf(provider: string, summary: string): LoginActivities {
  return proxyActivities<LoginActivities>({
    ...INTERACTIVE,
    taskQueue: providerQueue(provider),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });
}
