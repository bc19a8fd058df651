import { CancelledFailure, Context } from '@temporalio/activity';

/** Often enough that the user's cancel is heard within seconds: an activity learns of it by the answer to a heartbeat. */
const HEARTBEAT_EVERY_MS = 1_000;

/**
 * Runs `work` with heartbeats and a signal that fires on cancellation, of the activity or of its worker. Whatever
 * `work` throws after the signal counts as the cancellation.
 */
export async function withHeartbeats<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => {
    context.heartbeat();
  }, HEARTBEAT_EVERY_MS);
  try {
    return await work(context.cancellationSignal);
  } catch (error) {
    if (context.cancellationSignal.aborted) throw new CancelledFailure('cancelled');
    throw error;
  } finally {
    clearInterval(beat);
  }
}
