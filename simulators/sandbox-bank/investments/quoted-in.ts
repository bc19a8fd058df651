import type { Decimal } from 'decimal.js';

/** Writes a figure in main currency in the currency of the quotes. */
export const quotedIn =
  (currency: string) =>
  (figure: Decimal): string =>
    currency === 'GBX' ? figure.times(100).toFixed() : figure.toFixed();
