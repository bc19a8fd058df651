/** The rows of one page of a list. */
export const PAGE_SIZE = 50;

/** A page of rows that were read up to one more, and the id after which the next page begins. */
export function cutPage<Row>(
  read: readonly Row[],
  size: number,
  idOf: (row: Row) => string,
): { rows: Row[]; next: string | null } {
  const rows = read.slice(0, size);
  const last = rows.at(-1);
  return { rows, next: read.length > size && last !== undefined ? idOf(last) : null };
}
