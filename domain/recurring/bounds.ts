/** The days before today that a search covers. */
export const MAX_DAYS = 730;
/** The newest rows of a link that a search reads. */
export const MAX_ROWS = 20_000;
export const MAX_STREAMS = 500;
