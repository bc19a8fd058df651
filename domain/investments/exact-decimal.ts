import { Decimal } from 'decimal.js';

/**
 * Decimals whose sums and products are exact: quantity × price × factor has at most 114 digits.
 * Their quotients are for comparisons, and for prices that are rounded.
 */
export const Exact = Decimal.clone({ precision: 160, rounding: Decimal.ROUND_HALF_EVEN });

const DERIVED_PLACES = 10;

/** A computed figure: half to even to 10 decimals. Never `-0`. */
export function rounded(value: Decimal): Decimal {
  const result = new Exact(value).toDecimalPlaces(DERIVED_PLACES);
  return new Decimal(result.isZero() ? 0 : result);
}

/** The size of the first with the sign of the second, which is not 0. */
export function withSignOf(size: Decimal, signed: Decimal): Decimal {
  return signed.isNegative() ? size.abs().negated() : size.abs();
}

/** True for a ratio within 1 ÷ `factor` … `factor`. */
export function isWithin(ratio: Decimal, factor: number): boolean {
  return ratio.times(factor).gte(1) && ratio.lte(factor);
}
