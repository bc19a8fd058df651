import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { FailureDetail } from '../activities/failures.js';
import type { CallEnd } from '../domain/errors/call-end.js';
import { FAILURE_MEANINGS } from '../domain/errors/failure-mapping.js';
import { PROVIDER_CAUSES, type ProviderCause } from '../domain/errors/provider-failure.js';

/**
 * The SDK's failure types for a worker that stopped during a call, and the input guard's type for
 * an end that no worker reported. A killed worker shows as a missing heartbeat.
 */
const STOPPED = ['WorkerShutdown', 'CancelledFailure', 'InputRefused'];

/** Extracts the cause from an activity's failure. Rethrows any other error. */
export function endOfActivity(error: unknown): CallEnd {
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) {
    if (STOPPED.includes(cause.type ?? '')) return { kind: 'lost' };
    const known = PROVIDER_CAUSES.find((name) => name === cause.type) ?? 'internal';
    const [detail] = (cause.details ?? []) as [FailureDetail?];
    return {
      kind: 'failed',
      cause: known,
      mayRepeat: cause.nonRetryable !== true,
      notBeforeMs: detail?.retryAfterMs ?? 0,
      ourDatabase: detail?.ourDatabase === true,
      isOurQuota: detail?.isOurQuota === true,
    };
  }
  if (cause instanceof CancelledFailure) return { kind: 'lost' };
  if (cause instanceof TimeoutFailure && cause.timeoutType === 'HEARTBEAT') return { kind: 'lost' };
  return failed(cause instanceof TimeoutFailure ? 'institution_timeout' : 'internal');
}

function failed(cause: ProviderCause): CallEnd {
  return {
    kind: 'failed',
    cause,
    mayRepeat: FAILURE_MEANINGS[cause].retryable,
    notBeforeMs: 0,
    ourDatabase: false,
    isOurQuota: false,
  };
}
