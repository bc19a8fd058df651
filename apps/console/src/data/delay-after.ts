const MAX_MS = 60_000;

/** The pause before the next read: doubled by each failure in a row, up to a minute. */
export const delayAfter = (failures: number, every: number): number =>
  Math.max(every, Math.min(MAX_MS, every * 2 ** failures));
