/**
 * Runs work that may still finish for a while after its caller no longer wants it.
 * @param graceMs how long its signal follows after the caller's
 * @throws the reason of the caller's signal when the work then fails
 */
export async function withGrace<T>(
  caller: AbortSignal,
  graceMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller.throwIfAborted();
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => controller.abort(caller.reason), graceMs);
  };
  caller.addEventListener('abort', onAbort, { once: true });
  try {
    return await run(controller.signal);
  } catch (error) {
    caller.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', onAbort);
  }
}
