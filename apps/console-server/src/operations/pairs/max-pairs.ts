/** The key pairs of one app and environment beyond which the console creates no other. */
export const MAX_PAIRS = 200;
