import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the check succeeds. @returns false when the time has passed or the signal fired */
export async function until(
  condition: () => Promise<boolean>,
  { within, every = 50, signal }: { within: number; every?: number; signal?: AbortSignal },
): Promise<boolean> {
  const deadline = Date.now() + within;
  while (signal?.aborted !== true) {
    if (await condition()) return true;
    if (Date.now() >= deadline) return false;
    await sleep(every);
  }
  return false;
}
