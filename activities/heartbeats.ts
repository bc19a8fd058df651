import { CancelledFailure, Context } from '@temporalio/activity';

/**
 * The heartbeat response notifies an activity of its cancellation, so this interval limits the
 * delay of a user's cancel.
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
