import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { endOfActivity } from '../provider-cause.js';
import type { ProductRefreshInput } from './product-refresh.contract.js';

export interface Retry {
  afterMs: number;
  /** The retry period in milliseconds: no attempt starts later than this after the first. */
  forMs: number;
  /** The provider requested the delay, so a new request does not end it. */
  isProviderDelay: boolean;
}

/** The consequences of a failed attempt. */
export interface Judgment {
  cause: ProviderCause;
  retry: Retry | null;
  /** The source accepts no other call before this time; ISO 8601. */
  until?: string;
  /** The source was not called: the quota counted here has no calls left. */
  isOurQuota?: true;
}

/** `attempt`: from 1. Rethrows any error that is not an activity failure. */
export type JudgeAttempt = (error: unknown, attempt: number) => Judgment;

const MAX_RETRY_DELAY_MS = 600_000;

/** `retryForMs`: the retry period for bank failures in the environment of the link. */
export function judgeAttempt(
  error: unknown,
  attempt: number,
  { firstRetryMs, fetchRetryForMs }: ProductRefreshInput,
  retryForMs: number,
): Judgment {
  const end = endOfActivity(error);
  const afterMs = Math.min(MAX_RETRY_DELAY_MS, firstRetryMs * 2 ** (attempt - 1));
  // The short limit of Sandbox is meant for trying out bank failures. An internal failure may have
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
      // An app's request may use the reserve of a quota that the schedule has used up.
      isProviderDelay: end.notBeforeMs > 0 && !end.isOurQuota,
    },
    ...detail,
  };
}
