import { CancelledFailure, Context } from '@temporalio/activity';

/**
 * The heartbeat response notifies an activity of its cancellation, so this interval limits the
 * delay of a user's cancel.
 */
const HEARTBEAT_INTERVAL_MS = 1_000;

/**
 * Runs `work` with heartbeats and a signal that fires when the activity is canceled or its worker
 * shuts down. Anything `work` throws after the signal is reported as the cancellation. The
 * heartbeats carry what `work` last passed to `progress`, for callers that watch the activity.
 */
export async function withHeartbeats<T, P = never>(
  work: (signal: AbortSignal, progress: (reached: P) => void) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  let reached: P | undefined;
  const beat = (): void =>
    reached === undefined ? context.heartbeat() : context.heartbeat(reached);
  const timer = setInterval(beat, HEARTBEAT_INTERVAL_MS);
  try {
    return await work(context.cancellationSignal, (next) => {
      reached = next;
    });
  } catch (error) {
    if (context.cancellationSignal.aborted) throw new CancelledFailure('cancelled');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
