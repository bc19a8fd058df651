/** The rows on the screen, by their keys in order, and how many newer ones wait. */
export interface HeldRows<Row> {
  rows: Row[];
  waiting: number;
}

/**
 * The rows of a poll in the order that is on the screen: none moves under the pointer. Rows that the
 * poll adds wait; one that it has no longer stays as it was.
 * @param shown the keys on the screen; empty = all rows of the poll are shown
 */
export function holdRows<Row>(
  shown: readonly string[],
  before: ReadonlyMap<string, Row>,
  polled: readonly Row[],
  keyOf: (row: Row) => string,
): HeldRows<Row> {
  if (shown.length === 0) return { rows: [...polled], waiting: 0 };
  const now = new Map(polled.map((row) => [keyOf(row), row]));
  const rows = shown.flatMap((key) => {
    const row = now.get(key) ?? before.get(key);
    return row === undefined ? [] : [row];
  });
  const known = new Set(shown);
  return { rows, waiting: polled.filter((row) => !known.has(keyOf(row))).length };
}
