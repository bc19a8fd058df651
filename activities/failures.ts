import { activityInfo, ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { FAILURE_MEANINGS } from '../domain/failure-mapping.js';
import { ProviderFailure, type ProviderCause } from '../domain/provider-failure.js';

/** What our own parts refuse for good, by the name of the error. Its text may be read in a history. */
const REFUSALS: Readonly<Record<string, string>> = {
  TransitionRefused: 'The link is not in a state that allows this.',
  SessionOver: 'The session has ended.',
  StaleRefreshRun: 'A newer run, or the end of the link, took its place.',
};

/** How long a fetch may be repeated. Milliseconds. */
export interface RetryBudget {
  /** Since the first attempt was scheduled. */
  elapsedMs: number;
  retryForMs: number;
  /** Wait before the next attempt, unless the provider asked for a longer one. */
  nextRetryMs: number;
}

/**
 * The one translation from what went wrong to how Temporal goes on: type = cause, our own text, repeated or not, and
 * when. Nothing of the original error is kept, since histories are read by people and remote words may hold anything.
 */
export function failureOf(error: unknown, budget?: RetryBudget): ApplicationFailure | CancelledFailure {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof ProviderFailure) return providerFailure(error.provider_cause, error.retryAfterSeconds, budget);
  if (error instanceof Error && Object.hasOwn(REFUSALS, error.name)) {
    return ApplicationFailure.create({ type: error.name, message: REFUSALS[error.name], nonRetryable: true });
  }
  return ApplicationFailure.create({ type: 'internal', message: FAILURE_MEANINGS.internal.text, ...repeat(true, null, budget) });
}

function providerFailure(cause: ProviderCause, retryAfterSeconds: number | null, budget: RetryBudget | undefined): ApplicationFailure {
  const { text, retryable } = FAILURE_MEANINGS[cause];
  return ApplicationFailure.create({ type: cause, message: text, ...repeat(retryable, retryAfterSeconds, budget) });
}

function repeat(retryable: boolean, retryAfterSeconds: number | null, budget: RetryBudget | undefined): { nonRetryable: boolean; nextRetryDelay?: number } {
  const askedMs = retryAfterSeconds === null ? null : retryAfterSeconds * 1_000;
  if (!retryable) return { nonRetryable: true };
  if (budget === undefined) return { nonRetryable: false, ...(askedMs === null ? {} : { nextRetryDelay: askedMs }) };
  const delay = Math.max(budget.nextRetryMs, askedMs ?? 0);
  // link-lifecycle 7.3: one run retries for a limited time.
  return budget.elapsedMs + delay > budget.retryForMs ? { nonRetryable: true } : { nonRetryable: false, nextRetryDelay: delay };
}

type Activity = (...args: never[]) => Promise<unknown>;

/** The same activities, failing only with what `failureOf` makes. */
export function translateFailures<T extends Record<string, Activity>>(activities: T, { report, isTemporary }: FailureTranslation): T {
  const translated = Object.entries(activities).map(([name, activity]) => [
    name,
    async (...args: never[]) => {
      try {
        return await activity(...args);
      } catch (error) {
        if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
        report(name, error);
        const failure = failureOf(error);
        const hopeless = failure instanceof ApplicationFailure && failure.type === 'internal' && !isTemporary(error) && activityInfo().attempt >= UNEXPLAINED_TRIES;
        throw hopeless ? ApplicationFailure.create({ type: failure.type, message: failure.message, nonRetryable: true }) : failure;
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
