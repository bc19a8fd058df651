/** Data that the bank shows only to a permission that names it: other accounts, and calls of their own. */
export const DATA_AREAS = ['investments', 'liabilities'] as const;
export type DataArea = (typeof DATA_AREAS)[number];

/** The areas among the names of data that a third party requests. */
export const areasIn = (names: readonly string[]): DataArea[] =>
  DATA_AREAS.filter((area) => names.includes(area));
