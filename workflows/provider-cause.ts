import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/workflow';
import { PROVIDER_CAUSES, type ProviderCause } from '../domain/provider-failure.js';

/** Why an activity at a bank did not succeed; `lost` = nobody knows what became of it. */
export type ActivityEnd = { kind: 'failed'; cause: ProviderCause } | { kind: 'lost' };

/** Reads the cause out of what a failed activity throws; anything else is thrown on. */
export function endOfActivity(error: unknown): ActivityEnd {
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) return { kind: 'failed', cause: PROVIDER_CAUSES.find((known) => known === cause.type) ?? 'internal' };
  // The worker died, or was stopped, in the middle of the call.
  if (cause instanceof CancelledFailure) return { kind: 'lost' };
  if (cause instanceof TimeoutFailure) return cause.timeoutType === 'HEARTBEAT' ? { kind: 'lost' } : { kind: 'failed', cause: 'institution_timeout' };
  return { kind: 'failed', cause: 'internal' };
}
