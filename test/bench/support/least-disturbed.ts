import { setTimeout as pause } from 'node:timers/promises';
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

/**
 * Measures again while the host took more than a hundredth of the cores' time, as long as `mayRepeat` allows it. What
 * counts is where it took least, whatever was measured.
 *
 * @param mayRepeat resolves when it is time to
 */
export async function leastDisturbed<T>(take: () => Promise<T>, mayRepeat: () => Promise<boolean>): Promise<LeastDisturbed<T>> {
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
 * Waits until the host has taken next to nothing for some seconds in a row.
 *
 * @param mostSeconds after which it is over in any case
 * @returns how many seconds it took
 */
export async function quietHost(mostSeconds: number): Promise<number> {
  let seconds = 0;
  for (let quiet = 0; quiet < QUIET_SECONDS && seconds < mostSeconds; seconds += 1) {
    const stolenShare = watchStolenTime();
    await pause(1_000);
    quiet = (stolenShare() ?? 0) > MOST_STOLEN ? 0 : quiet + 1;
  }
  return seconds;
}
