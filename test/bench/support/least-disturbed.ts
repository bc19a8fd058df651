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

/**
 * Measures again while the host took more than a hundredth of the cores' time, as long as `mayRepeat` allows it. What
 * counts is where it took least, whatever was measured.
 */
export async function leastDisturbed<T>(take: () => Promise<T>, mayRepeat: () => boolean): Promise<LeastDisturbed<T>> {
  const taken: Taken<T>[] = [];
  do {
    const stolenShare = watchStolenTime();
    const value = await take();
    taken.push({ value, stolen: stolenShare() });
  } while ((taken.at(-1)?.stolen ?? 0) > MOST_STOLEN && mayRepeat());
  const [best, ...others] = taken.toSorted((one, other) => (one.stolen ?? 0) - (other.stolen ?? 0));
  if (best === undefined) throw new Error('it was measured once at least');
  return { ...best, others };
}
