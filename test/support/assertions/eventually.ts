import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /**
   * Milliseconds. Not a promise, only the point at which waiting is hopeless: a slow computer must
   * not fail a test.
   */
  within?: number;
  every?: number;
}

const WITHIN_MS = 120_000;

/**
 * Retries until `probe` no longer throws, and returns its result. After the time limit it throws
 * the last error.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { within = WITHIN_MS, every = 50 }: EventuallyOptions = {},
): Promise<T> {
  const deadline = Date.now() + within;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
      await sleep(every);
    }
  }
}
