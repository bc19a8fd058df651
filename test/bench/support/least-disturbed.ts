import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { watchStolenTime } from './stolen-share.js';

export interface Taken<T> {
  value: T;
  /**
   * Share of the cores' time that the host took during the measurement, between 0 and 1; null when
   * it is not reported.
   */
  stolen: number | null;
}

export interface LeastDisturbed<T> extends Taken<T> {
  /** The measurements before and after it, which do not count. */
  others: Taken<T>[];
}

/** Up to this share a measurement counts unchanged. */
const MAX_STOLEN = 0.01;
/** A busy host uses time for seconds or for minutes. */
const QUIET_SECONDS = 3;
/** A host uses no time of an idle machine. */
const BUSY_MS = 500;
/** For cores that are never idle; a measurement leaves them idle for a third of its time. */
const MAX_STOLEN_OF_BUSY = 0.02;

/**
 * Measures again while the host took more than one percent of the cores' time, as long as
 * `mayRepeat` allows it. The measurement with the smallest share counts, whatever its result.
 *
 * @param mayRepeat resolves when the next measurement may start
 */
export async function leastDisturbed<T>(
  take: () => Promise<T>,
  mayRepeat: () => Promise<boolean>,
): Promise<LeastDisturbed<T>> {
  const taken: Taken<T>[] = [];
  do {
    const stolenShare = watchStolenTime();
    const value = await take();
    taken.push({ value, stolen: stolenShare() });
  } while ((taken.at(-1)?.stolen ?? 0) > MAX_STOLEN && (await mayRepeat()));
  const [best, ...others] = taken.toSorted((one, other) => (one.stolen ?? 0) - (other.stolen ?? 0));
  if (best === undefined) throw new Error('nothing was measured');
  return { ...best, others };
}

/**
 * Waits until the host has taken almost nothing from all busy cores for several seconds in a row.
 *
 * @param maxSeconds the maximum wait
 * @returns the seconds waited
 */
export async function quietHost(maxSeconds: number): Promise<number> {
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1_000;
  for (let quiet = 0; quiet < QUIET_SECONDS && seconds() < maxSeconds;) {
    const stolenShare = watchStolenTime();
    await Promise.all(Array.from({ length: availableParallelism() }, keepOneCoreBusy));
    quiet = (stolenShare() ?? 0) > MAX_STOLEN_OF_BUSY ? 0 : quiet + 1;
    await pause(1_000 - BUSY_MS);
  }
  return seconds();
}

async function keepOneCoreBusy(): Promise<void> {
  const worker = new Worker(
    `const startedAt = performance.now(); while (performance.now() - startedAt < ${BUSY_MS});`,
    { eval: true },
  );
  await once(worker, 'exit');
}
