import { proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/deletion/erasure-activities.js';
import { BATCHED_DATABASE } from '../activity-options.js';
import { CurrentDetails } from '../details/current-details.js';
import type { UserErasureInput } from './user-erasure.contract.js';

/**
 * Carries out a recorded erasure of a customer user. Every step changes a few rows and may be
 * repeated; while a bank has yet to end a permission, the workflow checks again later. native-api
 * 3.7.
 */
export async function userErasure({
  erasureId,
  firstWaitMs,
  longestWaitMs,
}: UserErasureInput): Promise<void> {
  const { advanceErasure } = proxyLocalActivities<ErasureActivities>(BATCHED_DATABASE);
  const details = new CurrentDetails();
  let waitMs = firstWaitMs;
  for (;;) {
    details.waitFor('the database to erase the next rows');
    const progress = await advanceErasure({ erasureId });
    if (progress === 'done') return details.done();
    if (progress === 'more') continue;
    details.waitFor('a bank, a delivery or a session that still needs the records', {
      until: Date.now() + waitMs,
    });
    await sleep(waitMs, { summary: 'waiting for a bank, a delivery or a session' });
    waitMs = Math.min(2 * waitMs, longestWaitMs);
  }
}
