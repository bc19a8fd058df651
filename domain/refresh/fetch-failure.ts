import type { CallEnd } from '../errors/call-end.js';
import type { FetchFailure, RefreshFacts } from './refresh-phase.js';

export interface Retry {
  afterMs: number;
  /** The retry period in milliseconds: no attempt starts later than this after the first. */
  forMs: number;
  /** The provider requested the delay, so a new request does not end it. */
  isProviderDelay: boolean;
}

/** The consequences of a failed attempt. `retry`: null = none, whatever time is left. */
export interface JudgedFailure {
  failure: FetchFailure;
  retry: Retry | null;
}

const MAX_RETRY_DELAY_MS = 600_000;

/** `attempt`: from 1. */
export function judgeFailure(end: CallEnd, attempt: number, facts: RefreshFacts): JudgedFailure {
  const { now, firstRetryMs, retryForMs, internalRetryForMs } = facts;
  const afterMs = Math.min(MAX_RETRY_DELAY_MS, firstRetryMs * 2 ** (attempt - 1));
  // The short limit of Sandbox is meant for trying out bank failures. An internal failure may have
  // used it up.
  if (end.kind === 'lost')
    return {
      failure: { cause: 'internal' },
      retry: { afterMs, forMs: internalRetryForMs, isProviderDelay: false },
    };
  const { cause, notBeforeMs, isOurQuota } = end;
  return {
    failure: {
      cause,
      ...(notBeforeMs > 0 ? { until: new Date(now + notBeforeMs).toISOString() } : {}),
      ...(isOurQuota ? { isOurQuota: true as const } : {}),
    },
    retry: end.mayRepeat
      ? {
          afterMs: Math.max(afterMs, notBeforeMs),
          forMs: end.ourDatabase ? internalRetryForMs : retryForMs,
          // An app's request may use the reserve of a quota that the schedule has used up.
          isProviderDelay: notBeforeMs > 0 && !isOurQuota,
        }
      : null,
  };
}
