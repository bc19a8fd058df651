const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal is aborted, at once if it is already. A signal that many calls share
 * gets one listener: for more than ten, runtimes warn of a leak.
 * @returns a function that ends it
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  let waiting = listeners.get(signal);
  if (waiting === undefined) {
    const all = new Set<() => void>();
    signal.addEventListener('abort', () => all.forEach((each) => each()), { once: true });
    listeners.set(signal, all);
    waiting = all;
  }
  const all = waiting;
  // Of its own, so that ending one does not end another with the same function.
  const own = (): void => callback();
  all.add(own);
  return () => all.delete(own);
}

/** Settles as the promise does, or rejects with the reason of the signal, whichever is first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const end = onAbort(signal, () => reject(signal.reason as Error));
    promise.then(resolve, reject).finally(end);
  });
}

/** Waits, unless the signal is aborted first. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return orAborted(elapsed, signal).finally(() => clearTimeout(timer));
}
