import { Decimal } from 'decimal.js';

/**
 * Writes an exact decimal as the shortest JSON number equal to it: `2350.00` → `2350`, `0.50` → `0.5`.
 * Never through binary arithmetic, never in exponent form. Source: native-api 1, "Money, precision".
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
