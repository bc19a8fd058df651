import { CancelledFailure, Context } from '@temporalio/activity';

/**
 * An activity learns of its cancellation from the heartbeat response, so this bounds how late a
 * user's cancel arrives.
 */
const HEARTBEAT_INTERVAL_MS = 1_000;

/**
 * Runs `work` with heartbeats and a signal that fires when the activity is canceled or its worker
 * shuts down. Anything `work` throws after the signal is reported as the cancellation.
 */
export async function withHeartbeats<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => {
    context.heartbeat();
  }, HEARTBEAT_INTERVAL_MS);
  try {
    return await work(context.cancellationSignal);
  } catch (error) {
    if (context.cancellationSignal.aborted) throw new CancelledFailure('cancelled');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
