import { Decimal } from 'decimal.js';
import { currencyCodes } from './currency.js';
import { moneyNumber, moneyNumberOrNull } from './money-number.js';
import { securityUnits, type SecurityUnits } from './security-units.js';
import type { StoredHolding, StoredLot, StoredSecurity } from './stored-investments.js';

/**
 * Null for a holding whose price or value is unknown: Plaid requires both, and 0 would be a claim.
 * Source: plaid-compat 6.9.
 */
export function presentHolding(holding: StoredHolding, security: StoredSecurity) {
  const units = securityUnits(security, holding.price_factor);
  const quantity = units.quantityOf(holding.quantity);
  const price = priceOf(holding, units, quantity);
  if (holding.value === null || price === null) return null;
  const vested =
    holding.vested_quantity === null ? null : units.quantityOf(holding.vested_quantity);
  return {
    account_id: holding.account_id,
    security_id: holding.security_id,
    institution_price: price,
    institution_price_as_of: holding.price_as_of,
    institution_price_datetime: null,
    institution_value: holding.value,
    cost_basis: holding.cost_basis,
    quantity,
    ...currencyCodes(holding.currency),
    vested_quantity: vested,
    vested_value: vested === null ? null : moneyNumber(new Decimal(vested).times(price)),
    tax_lots: holding.lots.map((lot) => taxLot(lot, units)),
  };
}

/** A source without prices states the value, from which the price of one unit follows. */
function priceOf(
  { price, value }: StoredHolding,
  units: SecurityUnits,
  quantity: number,
): number | null {
  if (price !== null) return units.priceOf(price);
  if (value === null || quantity === 0) return null;
  return moneyNumber(new Decimal(value).div(quantity));
}

function taxLot(lot: StoredLot, units: SecurityUnits) {
  const { acquired_on: acquiredOn } = lot;
  return {
    institution_lot_id: lot.lot_id,
    original_purchase_datetime: acquiredOn === null ? null : `${acquiredOn}T00:00:00Z`,
    quantity: units.quantityOf(lot.quantity),
    purchase_price: lot.price_paid === null ? null : units.priceOf(lot.price_paid),
    cost_basis: moneyNumberOrNull(lot.cost_basis),
    current_value: moneyNumberOrNull(lot.value),
    position_type: new Decimal(lot.quantity).isNegative() ? 'SHORT' : 'LONG',
  };
}
