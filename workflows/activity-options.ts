import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';
import { CHANGE_REFUSALS } from '../domain/errors/change-refused.js';
import { PROVIDER_CAUSES } from '../domain/errors/provider-failure.js';

const FINAL_FAILURES = Object.keys(CHANGE_REFUSALS);

/**
 * Reads and writes of Tributary's own database. Retried until it responds: the row is the truth, and the
 * workflow waits for it.
 */
export const DATABASE: LocalActivityOptions = {
  startToCloseTimeout: 2_000,
  retry: {
    initialInterval: 100,
    backoffCoefficient: 2,
    maximumInterval: 10_000,
    nonRetryableErrorTypes: FINAL_FAILURES,
  },
};

/** For steps that change many rows, a few per transaction. */
export const BATCHED_DATABASE: LocalActivityOptions = { ...DATABASE, startToCloseTimeout: 30_000 };

/**
 * Calls to a bank while the user waits. One attempt, so that a password or code is never submitted
 * twice.
 */
export const INTERACTIVE: ActivityOptions = {
  startToCloseTimeout: 150_000,
  heartbeatTimeout: 15_000,
  retry: { maximumAttempts: 1 },
};

/**
 * Polls a bank for as long as a session lasts, until the user has completed the bank's step.
 * Polling has no side effects, so it restarts when a worker is lost.
 */
export const LONG_POLL: ActivityOptions = {
  startToCloseTimeout: 3_600_000,
  heartbeatTimeout: 15_000,
  retry: {
    initialInterval: 500,
    backoffCoefficient: 2,
    maximumInterval: 10_000,
    nonRetryableErrorTypes: [...PROVIDER_CAUSES],
  },
};

/** The time limit of a background fetch. */
export const FETCH_FOR_MS = 600_000;
/** After this, the next day's list replaces one that could not be read. */
export const WHOLE_LIST_FOR_MS = 20 * 3_600_000;

/**
 * Background fetches. One attempt: the delay before the next is a workflow timer, which a new
 * request can end.
 */
export const BATCH: ActivityOptions = {
  startToCloseTimeout: FETCH_FOR_MS,
  heartbeatTimeout: 30_000,
  retry: { maximumAttempts: 1 },
};

/** Notifies a bank in the background and retries until the bank responds. */
export const UNTIL_DELIVERED: ActivityOptions = {
  startToCloseTimeout: 60_000,
  heartbeatTimeout: 15_000,
  retry: { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 60_000 },
};

/** Revokes a permission. One attempt: the delays between attempts are workflow timers. */
export const REVOCATION: ActivityOptions = {
  startToCloseTimeout: 60_000,
  heartbeatTimeout: 15_000,
  retry: { maximumAttempts: 1 },
};

/** One request to a customer's URL. */
export const HTTP: ActivityOptions = {
  startToCloseTimeout: 20_000,
  retry: { maximumAttempts: 1 },
};

/**
 * Work whose progress is in rows: restarted and continued whenever its worker is lost, for as long
 * as it takes.
 */
export const RESUMABLE: ActivityOptions = {
  startToCloseTimeout: 86_400_000,
  heartbeatTimeout: 30_000,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 10_000 },
};

/**
 * Reads a provider's whole list and stores it. Restarts when its worker is lost or the provider
 * fails, until the next day's run replaces it.
 */
export const WHOLE_LIST: ActivityOptions = {
  startToCloseTimeout: 3_600_000,
  scheduleToCloseTimeout: WHOLE_LIST_FOR_MS,
  heartbeatTimeout: 30_000,
  retry: { initialInterval: 5_000, backoffCoefficient: 2, maximumInterval: 900_000 },
};
