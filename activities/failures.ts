import { activityInfo, ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { CHANGE_REFUSALS, ChangeRefused } from '../domain/errors/change-refused.js';
import { FAILURE_MEANINGS } from '../domain/errors/failure-mapping.js';
import { ProviderFailure, QuotaUsedUp } from '../domain/errors/provider-failure.js';

/**
 * Translates an error into the failure that Temporal receives: its type is the cause, its message a
 * text of Tributary's own, and it states whether and how soon to retry. Nothing of the original
 * error is kept, because people read histories and remote text may contain anything.
 */
export function failureOf(error: unknown): ApplicationFailure | CancelledFailure {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof ProviderFailure) return providerFailure(error);
  if (error instanceof ChangeRefused) {
    return ApplicationFailure.create({
      type: error.name,
      message: CHANGE_REFUSALS[error.name],
      nonRetryable: true,
    });
  }
  return ApplicationFailure.create({ type: 'internal', message: FAILURE_MEANINGS.internal.text });
}

/** The details of a failure besides its type. */
export interface FailureDetail {
  /** Earliest time of the next attempt, in milliseconds. */
  retryAfterMs?: number;
  /** Tributary's own database was unavailable or too slow; this is not evidence about the bank. */
  ourDatabase?: true;
  /** The source was not called: a quota counted here has no calls left. */
  isOurQuota?: true;
}

function databaseUnavailable(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'internal',
    message: FAILURE_MEANINGS.internal.text,
    details: [{ ourDatabase: true } satisfies FailureDetail],
  });
}

function providerFailure(error: ProviderFailure): ApplicationFailure {
  const { providerCause: cause, retryAfterSeconds } = error;
  const { text, retryable } = FAILURE_MEANINGS[cause];
  return ApplicationFailure.create({
    type: cause,
    message: text,
    nonRetryable: !retryable,
    ...(retryAfterSeconds === null
      ? {}
      : {
          details: [
            {
              retryAfterMs: retryAfterSeconds * 1_000,
              ...(error instanceof QuotaUsedUp ? { isOurQuota: true as const } : {}),
            } satisfies FailureDetail,
          ],
        }),
  });
}

type Activity = (...args: never[]) => Promise<unknown>;

/** Wraps activities so that they fail only with what `failureOf` returns. */
export function translateFailures<T extends Record<string, Activity>>(
  activities: T,
  { report, isTemporary }: FailureTranslation,
): T {
  const translated = Object.entries(activities).map(([name, activity]) => [
    name,
    async (...args: never[]) => {
      try {
        return await activity(...args);
      } catch (error) {
        if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
        report(name, error);
        // An unreachable bank fails with the same network codes, so only errors that no provider
        // explained come from the database.
        if (!(error instanceof ProviderFailure) && isTemporary(error)) throw databaseUnavailable();
        const failure = failureOf(error);
        const isFinal =
          failure instanceof ApplicationFailure &&
          failure.type === 'internal' &&
          activityInfo().attempt >= MAX_UNEXPLAINED_ATTEMPTS;
        throw isFinal
          ? ApplicationFailure.create({
              type: failure.type,
              message: failure.message,
              nonRetryable: true,
            })
          : failure;
      }
    },
  ]);
  return Object.fromEntries(translated) as T;
}

export interface FailureTranslation {
  /** Receives the original error, which may appear only in a log. */
  report: (activity: string, error: unknown) => void;
  /** Returns whether the database is unavailable. Such failures are retried without limit. */
  isTemporary: (error: unknown) => boolean;
}

/** An unexplained error is most likely a defect in Tributary; retrying it forever would hide it. */
const MAX_UNEXPLAINED_ATTEMPTS = 3;
