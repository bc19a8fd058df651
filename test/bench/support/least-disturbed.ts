import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { watchStolenTime } from './stolen-share.js';

export interface Taken<T> {
  value: T;
  /** Share of the cores' time that the host took meanwhile, of 1; null where nobody tells. */
  stolen: number | null;
}

export interface LeastDisturbed<T> extends Taken<T> {
  /** What was taken before or after it, and does not count. */
  others: Taken<T>[];
}

/** Up to here a window counts as it is. */
const MOST_STOLEN = 0.01;
/** What takes the time of a machine does so for seconds or for minutes. */
const QUIET_SECONDS = 3;
/** From a machine at rest there is nothing to take. */
const BUSY_MS = 500;
/** Of cores that never rest; a window leaves them a third of its time. */
const MOST_STOLEN_OF_BUSY = 0.02;

/**
 * Measures again while the host took more than a hundredth of the cores' time, as long as `mayRepeat` allows it. What
 * counts is where it took least, whatever was measured.
 *
 * @param mayRepeat resolves when it is time to
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
  } while ((taken.at(-1)?.stolen ?? 0) > MOST_STOLEN && (await mayRepeat()));
  const [best, ...others] = taken.toSorted((one, other) => (one.stolen ?? 0) - (other.stolen ?? 0));
  if (best === undefined) throw new Error('it was measured once at least');
  return { ...best, others };
}

/**
 * Waits until the host has taken next to nothing of all cores at work for some seconds in a row.
 *
 * @param mostSeconds after which it is over in any case
 * @returns seconds it took
 */
export async function quietHost(mostSeconds: number): Promise<number> {
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1_000;
  for (let quiet = 0; quiet < QUIET_SECONDS && seconds() < mostSeconds;) {
    const stolenShare = watchStolenTime();
    await Promise.all(Array.from({ length: availableParallelism() }, keepOneCoreBusy));
    quiet = (stolenShare() ?? 0) > MOST_STOLEN_OF_BUSY ? 0 : quiet + 1;
    await pause(1_000 - BUSY_MS);
  }
  return seconds();
}

async function keepOneCoreBusy(): Promise<void> {
  const worker = new Worker(
    `const begun = performance.now(); while (performance.now() - begun < ${BUSY_MS});`,
    { eval: true },
  );
  await once(worker, 'exit');
}
