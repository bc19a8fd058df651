import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';
import { PROVIDER_CAUSES } from '../domain/errors/provider-failure.js';

/** Failures that no repetition mends: the state of the link or session does not allow the change. */
const FINAL_FAILURES = ['TransitionRefused', 'SessionOver', 'AttemptOver', 'StaleRefreshRun'];

/** Reads and writes of our own database. Repeated until it answers again: the row is the truth, the workflow waits for it. */
export const DATABASE: LocalActivityOptions = {
  startToCloseTimeout: 2_000,
  retry: {
    initialInterval: 100,
    backoffCoefficient: 2,
    maximumInterval: 10_000,
    nonRetryableErrorTypes: FINAL_FAILURES,
  },
};

/** The same for a step that changes many rows, each few in a transaction of their own. */
export const STEP_OF_MANY: LocalActivityOptions = { ...DATABASE, startToCloseTimeout: 30_000 };

/** A call at a bank while a person waits. One attempt: a password or code is never submitted twice. */
export const INTERACTIVE: ActivityOptions = {
  startToCloseTimeout: 150_000,
  heartbeatTimeout: 15_000,
  retry: { maximumAttempts: 1 },
};

/**
 * Asking a bank whether a person has done there what was asked: as long as a session lasts, and once more whenever the
 * worker is lost, since asking changes nothing.
 */
export const PATIENT: ActivityOptions = {
  startToCloseTimeout: 3_600_000,
  heartbeatTimeout: 15_000,
  retry: {
    initialInterval: 500,
    backoffCoefficient: 2,
    maximumInterval: 10_000,
    nonRetryableErrorTypes: [...PROVIDER_CAUSES],
  },
};

/** Fetching in the background. One attempt: the wait before the next is a timer of the workflow, which a new request ends. */
export const BATCH: ActivityOptions = {
  startToCloseTimeout: 600_000,
  heartbeatTimeout: 30_000,
  retry: { maximumAttempts: 1 },
};

/** A word to a bank for which nobody waits: again and again until it is heard. */
export const UNTIL_HEARD: ActivityOptions = {
  startToCloseTimeout: 60_000,
  heartbeatTimeout: 15_000,
  retry: { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 60_000 },
};

/** Ending a permission at a bank. One attempt: the waits between the tries are timers of the workflow. */
export const REVOCATION: ActivityOptions = {
  startToCloseTimeout: 60_000,
  heartbeatTimeout: 15_000,
  retry: { maximumAttempts: 1 },
};

/** One request to an address of a customer. */
export const HTTP: ActivityOptions = {
  startToCloseTimeout: 20_000,
  retry: { maximumAttempts: 1 },
};

/** Work that stands in rows and goes on from there: begun again whenever its worker is lost, for as long as it takes. */
export const LONG: ActivityOptions = {
  startToCloseTimeout: 86_400_000,
  heartbeatTimeout: 30_000,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 10_000 },
};
