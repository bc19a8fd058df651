import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Milliseconds; on a busy machine everything takes its time. */
  within?: number;
  every?: number;
}

/** Tries until `probe` no longer throws, and gives what it gave; at the end of the time throws what it threw last. */
export async function eventually<T>(probe: () => T | Promise<T>, { within = 30_000, every = 50 }: EventuallyOptions = {}): Promise<T> {
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
