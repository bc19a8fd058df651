import { seededRandom } from '../../../../support/runner/seeded-random.js';

/** Choices that follow from a seed. */
export interface Chance {
  /** From 0 up to, without, 1. */
  next(): number;
  /** A whole number, both ends inclusive. */
  whole(least: number, most: number): number;
  /** True in this share of calls. */
  happens(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

export function seededChance(seed: number): Chance {
  const next = seededRandom(seed);
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    happens: (share) => next() < share,
    pick: (choices) => {
      const chosen = choices[Math.floor(next() * choices.length)];
      if (chosen === undefined) throw new Error('nothing to pick from');
      return chosen;
    },
  };
}
