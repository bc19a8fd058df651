/** A masked number or address: read from left to right in every language, on one line. */
export const masked = (target: string): string => `\u2066${target.replaceAll(' ', '\u00a0')}\u2069`;
