import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Milliseconds: no promise, only the end of hope. A slow computer must not fail a test. */
  within?: number;
  every?: number;
}

const WITHIN_MS = 120_000;

/** Tries until `probe` no longer throws, and gives what it gave; at the end of the time throws what it threw last. */
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
