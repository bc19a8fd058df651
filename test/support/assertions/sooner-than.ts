/** A busy machine may stand still for seconds. */
const SHORTEST_TIMER_MS = 15_000;

/**
 * Expects work to end before a timer of the service that would end it otherwise, and returns its
 * result. A shorter timer proves nothing: tell the two ends apart by what they cause.
 */
export async function soonerThan<T>(timerMs: number, work: Promise<T>): Promise<T> {
  if (timerMs < SHORTEST_TIMER_MS) throw new Error(`${timerMs} ms may pass on a busy machine.`);
  const startedAt = performance.now();
  const result = await work;
  expect(performance.now() - startedAt).toBeLessThan(timerMs);
  return result;
}
