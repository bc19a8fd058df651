import { Decimal } from 'decimal.js';

/**
 * Formats an exact decimal as the shortest equal JSON number: `2350.00` → `2350`, `0.50` → `0.5`.
 * Avoids binary arithmetic and exponents. Source: native-api 1, "Money, precision".
 * @throws RangeError if the value is not finite
 */
export function jsonNumber(value: Decimal.Value): string {
  const decimal = new Decimal(value);
  if (!decimal.isFinite()) throw new RangeError('a money value must be finite');
  const text = decimal.toFixed();
  return text === '-0' ? '0' : text;
}

export function jsonNumberOrNull(value: Decimal.Value | null): string {
  return value === null ? 'null' : jsonNumber(value);
}
