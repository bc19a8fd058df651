import { Decimal } from 'decimal.js';

/** A coin has 18 decimals, and its value twice as many digits: none of them is lost. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN });

export const ZERO = new Exact(0);

/** Money has two decimals. */
export const cents = (amount: Decimal): Decimal => amount.toDecimalPlaces(2);

export const sumOf = (figures: readonly Decimal[]): Decimal =>
  figures.reduce((sum, figure) => sum.plus(figure), ZERO);

/** The figure that a value states; null = it states none. */
export function figureIn(value: unknown): Decimal | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return /^-?\d{1,19}(\.\d{1,19})?$/.test(String(value)) ? new Exact(value) : null;
}
