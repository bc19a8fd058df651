import { sleep } from '@temporalio/workflow';
import type { RefreshPlan } from '../../activities/refresh/refresh-activities.js';
import type { Judgment, JudgeAttempt } from './judge-attempt.js';
import { updateOf } from './refresh-steps.js';

/** The time limit of an update; afterwards the source is read as it is. */
export const UPDATE_FOR_MS = 600_000;
const SHORTEST_WAIT_MS = 1_000;
/**
 * The longer an update runs, the less often its progress is checked. This limits the events of a
 * long update.
 */
const WAIT_SHARE = 0.1;

/**
 * Makes the source of a run update from its bank, and waits until it has. Failures are retried like
 * those of fetches. Returns the final one; null = the source can be read.
 */
export async function updateFirst(
  { linkId, run, provider, institutionId }: RefreshPlan,
  forMs: number,
  judge: JudgeAttempt,
): Promise<Judgment | null> {
  const startedAt = Date.now();
  const wait = (ms: number) => sleep(ms, { summary: `update of ${institutionId}` });
  let isFirst = true;
  for (let failures = 0, call = 1; ; call += 1) {
    const bank = updateOf(provider, `update of ${institutionId}, call ${call}`);
    try {
      const result = await bank.updateAtProvider({ linkId, run, isFirst });
      if (result.kind !== 'pending') return null;
      isFirst = false;
      const waitedMs = Date.now() - startedAt;
      const waitMs = Math.max(SHORTEST_WAIT_MS, result.askAgainAfterMs, waitedMs * WAIT_SHARE);
      if (waitedMs + waitMs > forMs) return null;
      await wait(waitMs);
    } catch (error) {
      failures += 1;
      const judged = judge(error, failures);
      const { retry } = judged;
      const waitedMs = Date.now() - startedAt;
      if (retry === null || waitedMs + retry.afterMs > Math.min(forMs, retry.forMs)) return judged;
      await wait(retry.afterMs);
    }
  }
}
