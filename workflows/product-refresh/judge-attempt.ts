import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { endOfActivity } from '../provider-cause.js';
import type { ProductRefreshInput } from './product-refresh.contract.js';

export interface Retry {
  afterMs: number;
  /** No attempt starts later than this after the first, in milliseconds. */
  forMs: number;
  /** The provider asked us to wait: a new request does not end this delay. */
  isProviderDelay: boolean;
}

/** What the failure of an attempt means. */
export interface Judgment {
  cause: ProviderCause;
  retry: Retry | null;
  /** Before this time the source accepts no other call; ISO 8601. */
  until?: string;
  /** The source was not asked: our own count left no call. */
  isOurQuota?: true;
}

/** `attempt`: from 1. Rethrows what is no failure of the activity. */
export type JudgeAttempt = (error: unknown, attempt: number) => Judgment;

const MAX_RETRY_DELAY_MS = 600_000;

/** `retryForMs`: how long a failure of the bank is retried, in the environment of the link. */
export function judgeAttempt(
  error: unknown,
  attempt: number,
  { firstRetryMs, fetchRetryForMs }: ProductRefreshInput,
  retryForMs: number,
): Judgment {
  const end = endOfActivity(error);
  const afterMs = Math.min(MAX_RETRY_DELAY_MS, firstRetryMs * 2 ** (attempt - 1));
  // The short limit of Sandbox is meant for trying out bank failures. A loss of our own may have
  // used it up.
  if (end.kind === 'lost')
    return {
      cause: 'internal',
      retry: { afterMs, forMs: fetchRetryForMs, isProviderDelay: false },
    };
  const detail = {
    ...(end.notBeforeMs > 0 ? { until: new Date(Date.now() + end.notBeforeMs).toISOString() } : {}),
    ...(end.isOurQuota ? { isOurQuota: true as const } : {}),
  };
  if (!end.mayRepeat) return { cause: end.cause, retry: null, ...detail };
  return {
    cause: end.cause,
    retry: {
      afterMs: Math.max(afterMs, end.notBeforeMs),
      forMs: end.ourDatabase ? fetchRetryForMs : retryForMs,
      // An app's request may use the reserve of a quota that is used up for the schedule.
      isProviderDelay: end.notBeforeMs > 0 && !end.isOurQuota,
    },
    ...detail,
  };
}
