import { Decimal } from 'decimal.js';

/** An exact decimal as the nearest JSON number; never `-0`. Source: plaid-compat 3.5 and 12. */
export function moneyNumber(value: Decimal.Value): number {
  const number = new Decimal(value).toNumber();
  return number === 0 ? 0 : number;
}

export function moneyNumberOrNull(value: Decimal.Value | null): number | null {
  return value === null ? null : moneyNumber(value);
}
