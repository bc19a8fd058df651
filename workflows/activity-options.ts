import type { ActivityOptions, LocalActivityOptions, RetryPolicy } from '@temporalio/workflow';

/** Failures that no repetition mends: the state of the link or session does not allow the change. */
const FINAL_FAILURES = ['TransitionRefused', 'SessionOver', 'StaleRefreshRun'];

/** Reads and writes of our own database. Repeated until it answers again: the row is the truth, the workflow waits for it. */
export const DATABASE: LocalActivityOptions = {
  startToCloseTimeout: 2_000,
  retry: { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 10_000, nonRetryableErrorTypes: FINAL_FAILURES },
};

/** A call at a bank while a person waits. One attempt: a password or code is never submitted twice. */
export const INTERACTIVE: ActivityOptions = {
  startToCloseTimeout: 150_000,
  heartbeatTimeout: 15_000,
  retry: { maximumAttempts: 1 },
};

/** Fetching in the background. Give it a retry policy with `retryWithin`. */
export const BATCH: ActivityOptions = {
  startToCloseTimeout: 600_000,
  heartbeatTimeout: 30_000,
};

/** One request to an address of a customer. */
export const HTTP: ActivityOptions = {
  startToCloseTimeout: 20_000,
  retry: { maximumAttempts: 1 },
};

/** Waits that double from `firstRetryMs`, for at most `retryForMs` in all. link-lifecycle 7.3. */
export function retryWithin(retryForMs: number, firstRetryMs: number): { scheduleToCloseTimeout: number; retry: RetryPolicy } {
  return {
    // The last attempt may begin just before the time is over and still use all of its own.
    scheduleToCloseTimeout: retryForMs + BATCH_ATTEMPT_MS,
    retry: { initialInterval: firstRetryMs, backoffCoefficient: 2, maximumInterval: Math.max(firstRetryMs, 600_000) },
  };
}

const BATCH_ATTEMPT_MS = 600_000;
