import { proxyLocalActivities } from '@temporalio/workflow';
import type { LinkingActivities } from '../activities/linking/linking-activities.js';
import { DATABASE } from './activity-options.js';
import { oneAtATime } from './one-at-a-time.js';

/** Reads and writes of the session and its link. One instance per workflow. */
export function linkingSteps(): LinkingActivities {
  return oneAtATime(proxyLocalActivities<LinkingActivities>(DATABASE));
}
