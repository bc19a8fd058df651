import { activityInfo, ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { FAILURE_MEANINGS } from '../domain/errors/failure-mapping.js';
import { ProviderFailure } from '../domain/errors/provider-failure.js';

/** What our own parts refuse for good, by the name of the error. Its text may be read in a history. */
const REFUSALS: Readonly<Record<string, string>> = {
  TransitionRefused: 'The link is not in a state that allows this.',
  SessionOver: 'The session has ended.',
  AttemptOver: 'Another login took its place, or the user left.',
  StaleRefreshRun: 'A newer run, or the end of the link, took its place.',
};

/**
 * The one translation from what went wrong to how Temporal goes on: type = cause, our own text, repeated or not, and
 * when at the earliest. Nothing of the original error is kept, since histories are read by people and remote words may
 * hold anything.
 */
export function failureOf(error: unknown): ApplicationFailure | CancelledFailure {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof ProviderFailure) return providerFailure(error);
  if (error instanceof Error && Object.hasOwn(REFUSALS, error.name)) {
    return ApplicationFailure.create({
      type: error.name,
      message: REFUSALS[error.name],
      nonRetryable: true,
    });
  }
  return ApplicationFailure.create({ type: 'internal', message: FAILURE_MEANINGS.internal.text });
}

/** What a failure tells its workflow besides its type. */
export interface FailureDetail {
  /** Not to be repeated before; milliseconds. */
  retryAfterMs?: number;
  /** Our own database was away, or too busy to answer in time: no word about the bank. */
  ourDatabase?: true;
}

function databaseAway(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'internal',
    message: FAILURE_MEANINGS.internal.text,
    details: [{ ourDatabase: true } satisfies FailureDetail],
  });
}

function providerFailure({
  provider_cause: cause,
  retryAfterSeconds,
}: ProviderFailure): ApplicationFailure {
  const { text, retryable } = FAILURE_MEANINGS[cause];
  return ApplicationFailure.create({
    type: cause,
    message: text,
    nonRetryable: !retryable,
    ...(retryAfterSeconds === null
      ? {}
      : { details: [{ retryAfterMs: retryAfterSeconds * 1_000 } satisfies FailureDetail] }),
  });
}

type Activity = (...args: never[]) => Promise<unknown>;

/** The same activities, failing only with what `failureOf` makes. */
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
        // A bank that is away fails with the same codes of the network: only what no provider explained is ours.
        if (!(error instanceof ProviderFailure) && isTemporary(error)) throw databaseAway();
        const failure = failureOf(error);
        const hopeless =
          failure instanceof ApplicationFailure &&
          failure.type === 'internal' &&
          activityInfo().attempt >= UNEXPLAINED_TRIES;
        throw hopeless
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
  /** Told of the original error, which only a log may hold. */
  report: (activity: string, error: unknown) => void;
  /** The database is away: it is waited for, however long that takes. */
  isTemporary: (error: unknown) => boolean;
}

/** What nobody can explain is most likely a mistake of ours: trying it for ever would hide it. */
const UNEXPLAINED_TRIES = 3;
