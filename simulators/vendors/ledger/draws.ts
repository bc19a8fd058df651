import { createHash } from 'node:crypto';

/** The same numbers in the same order for the same seed. */
export interface Draws {
  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number;
  oneOf<T>(values: readonly T[]): T;
  digits(count: number): string;
}

export function createDraws(seed: string): Draws {
  let state = createHash('sha256').update(seed).digest().readUInt32BE(0);
  // mulberry32: small, and even enough for simulated purchases
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    between,
    oneOf: (values) => {
      const drawn = values[between(0, values.length - 1)];
      if (drawn === undefined) throw new Error('Nothing to draw from.');
      return drawn;
    },
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(''),
  };
}

/** An id that depends on its parts only, as a vendor derives its ids from those of the ledger. */
export function derivedId(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join('\u0000')).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-');
}
