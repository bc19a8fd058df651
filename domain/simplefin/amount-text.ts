import { Decimal } from 'decimal.js';
import { minorDigits } from './minor-digits.js';

/**
 * Writes an amount as a numeric string with at least the minor digits of its currency: Actual
 * removes the point and counts in minor units. Further digits are kept.
 */
export function amountText(value: Decimal.Value, currency: string): string {
  const decimal = new Decimal(value);
  const text = decimal.toFixed(Math.max(decimal.decimalPlaces(), minorDigits(currency)));
  return decimal.isZero() ? text.replace('-', '') : text;
}

/** Negates a decimal text, or leaves an unknown one unknown. */
export const negated = (value: Decimal.Value | null): Decimal | null =>
  value === null ? null : new Decimal(value).neg();
