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

export interface ReadRow {
  matches: boolean;
  /** The last row read of one of several ranges, which may have more. */
  is_cut?: boolean;
}

/** The `LIMIT` of a page: one more row than it considers, to know whether another one follows. */
export function readAtMost({ limit, checksRows }: PageBound): number {
  return checksRows ? readOfAll(limit) : limit + 1;
}

/** The rows that a page which merges ranges may read of all of them together. */
export function readOfAll(limit: number): number {
  return limit * READ_PER_ROW + 1;
}

/**
 * The `LIMIT` of each of the ranges that a page merges. Many ranges share the rows that a page may
 * read, so such a page may hold fewer rows than its limit.
 */
export function readOfEach(bound: PageBound, ranges: number): number {
  const share = Math.floor(readOfAll(bound.limit) / Math.max(1, ranges));
  return Math.min(readAtMost(bound), Math.max(1, share));
}

/** The rows of a page, and the row after which the next page continues; null = this is the last. */
export function pageOf<Row extends ReadRow>(
  read: readonly Row[],
  bound: PageBound,
): { rows: Row[]; next: Row | null } {
  // Behind a row that was cut off, rows of its range may be missing.
  const cut = read.findIndex((row) => row.is_cut === true);
  const complete = cut === -1 ? read : read.slice(0, cut + 1);
  // The last row read only tells that there is another.
  const considered = complete.slice(0, readAtMost(bound) - 1);
  const rows = considered.filter(({ matches }) => matches).slice(0, bound.limit);
  const last = rows.length === bound.limit ? rows.at(-1) : considered.at(-1);
  const isEnd = cut === -1 && read.at(-1) === last;
  return { rows, next: last === undefined || isEnd ? null : last };
}
