/**
 * A page reads at most this many rows for each that it can hold. A combination of filters that few
 * rows match therefore takes several pages, which may be empty.
 */
const READ_PER_ROW = 10;

/** The size of a page, and whether conditions are checked on the rows that its index yields. */
export interface PageBound {
  limit: number;
  checksRows: boolean;
}

/** The `LIMIT` of a page: one more row than it considers, to know whether another one follows. */
export function readAtMost({ limit, checksRows }: PageBound): number {
  return checksRows ? limit * READ_PER_ROW + 1 : limit + 1;
}

/** The rows of a page, and the row after which the next page continues; null = this is the last. */
export function pageOf<Row extends { matches: boolean }>(
  read: readonly Row[],
  bound: PageBound,
): { rows: Row[]; next: Row | null } {
  // The last row read only tells that there is another.
  const considered = read.slice(0, readAtMost(bound) - 1);
  const rows = considered.filter(({ matches }) => matches).slice(0, bound.limit);
  const last = rows.length === bound.limit ? rows.at(-1) : considered.at(-1);
  return { rows, next: last === undefined || read.at(-1) === last ? null : last };
}
