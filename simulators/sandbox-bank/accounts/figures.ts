import { Decimal } from 'decimal.js';

/** A coin has 18 decimals, and its value twice as many digits: none of them is lost. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN });

export const ZERO = new Exact(0);

/** Money has two decimals. */
export const cents = (amount: Decimal): Decimal => amount.toDecimalPlaces(2);

export const sumOf = (figures: readonly Decimal[]): Decimal =>
  figures.reduce((sum, figure) => sum.plus(figure), ZERO);
