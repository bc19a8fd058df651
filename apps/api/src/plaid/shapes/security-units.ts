import type { Decimal } from 'decimal.js';
import { Exact } from '../../../../../domain/investments/exact-decimal.js';
import { moneyNumber } from './money-number.js';
import type { StoredSecurity } from './stored-investments.js';

const ONE = new Exact(1);
const USUAL_CONTRACT_SIZE = new Exact(100);
const PERCENT = new Exact('0.01');

/** The units in which Plaid counts a security, and the price of one. */
export interface SecurityUnits {
  quantityOf(quantity: string): number;
  /** The price in currency of one of Plaid's units. */
  priceOf(price: string): number;
}

/**
 * Plaid counts the shares that an option is about, and the units of a bond, where the native API
 * counts contracts and face value. The product of both numbers stays the value in currency.
 * `factor`: the native price factor; null = the price is unknown. Source: plaid-compat 6.9.
 */
export function securityUnits(
  security: StoredSecurity | null,
  factor: string | null,
): SecurityUnits {
  const priceFactor = factor === null ? null : new Exact(factor);
  const units = unitsOfOne(security, priceFactor);
  const rate = (priceFactor ?? units).div(units);
  return {
    quantityOf: (quantity) => moneyNumber(units.times(quantity)),
    priceOf: (price) => moneyNumber(rate.times(price)),
  };
}

/** Plaid's units in one of the native quantity. */
function unitsOfOne(security: StoredSecurity | null, factor: Decimal | null): Decimal {
  const { option = null, type = null, subtype = null } = security ?? {};
  if (option !== null || subtype === 'option')
    return new Exact(option?.contract_size ?? USUAL_CONTRACT_SIZE);
  // Only contracts have a factor above 1: the symbol shows an option whose type no one states.
  if (factor !== null && factor.gt(ONE)) return factor;
  if (type !== 'fixed_income' || factor?.equals(ONE)) return ONE;
  const faceValue = security?.fixed_income?.face_value ?? null;
  return faceValue === null || faceValue === 0 ? PERCENT : ONE.div(faceValue);
}
