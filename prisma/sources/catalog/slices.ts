/**
 * Rows of one statement: large enough to be fast, small enough to finish well within its time
 * limit.
 */
const SLICE = 2_000;

export function inSlices<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / SLICE) }, (_, index) =>
    rows.slice(index * SLICE, (index + 1) * SLICE),
  );
}
