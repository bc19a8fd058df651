/**
 * The largest page, offset or sequence number of a request: PostgreSQL's `int`, which no list or session reaches. Without
 * a bound of its own, a number that its statement cannot hold fails only there.
 */
export const MAX_POSITION = 2 ** 31 - 1;
