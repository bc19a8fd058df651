/** Ranges of one index, one for each key, such as the links of each of several users. */
export interface Ranges {
  /** A query of the keys, in a column `key`. */
  keys: string;
  /** A query of the rows of `each.key`, in the order of the index. */
  rows: string;
  /** The order of the rows within a range, of columns that `rows` selects. */
  order: string;
  /** The placeholder of the number of rows read of each range (bounded-page.ts). */
  readOfEach: string;
}

/**
 * The first rows of each range, in one order. `is_cut` marks the last row of a range that may have
 * more. PostgreSQL itself would not merge them: it collects the rows of all keys and sorts them, or
 * reads those of other keys until it has found enough.
 */
export function mergedRanges({ keys, rows, order, readOfEach }: Ranges): string {
  return `
    SELECT found.* FROM (${keys}) AS each
     CROSS JOIN LATERAL (
       SELECT part.*, row_number() OVER (ORDER BY ${order}) = ${readOfEach} AS is_cut
         FROM (${rows} LIMIT ${readOfEach}) AS part) AS found
     ORDER BY ${order}`;
}
