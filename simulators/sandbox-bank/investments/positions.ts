import type { Decimal } from 'decimal.js';
import { Exact, sumOf, ZERO } from '../accounts/figures.js';
import type { Movement } from './movement.js';
import type { Security } from './security.js';

/** A purchase, or a short sale, as far as it is still held. */
export interface Lot {
  /** The movement that opened it. */
  key: string;
  day: number;
  quantity: Decimal;
  price: Decimal | null;
  /** The total paid for it, fees included, with the sign of the quantity; null = unknown. */
  cost: Decimal | null;
}

/** The units of one security from one source. */
export interface Position {
  security: Security;
  source: string | null;
  lots: Lot[];
}

export interface Portfolio {
  positions: Position[];
  cash: Decimal;
}

/** The state of an account after its movements, in the order of their days. */
export function portfolioAfter(movements: readonly Movement[]): Portfolio {
  const positions = new Map<string, Position>();
  const cash = sumOf(movements.flatMap(({ amount }) => amount ?? []));
  for (const movement of movements.toSorted((a, b) => a.day - b.day)) {
    const { security, source, quantity } = movement;
    if (security === null || quantity === null) continue;
    const key = JSON.stringify([security.key, source]);
    const { lots } = positions.get(key) ?? { lots: [] };
    positions.set(key, { security, source, lots: lotsAfter(lots, movement, quantity) });
  }
  return { positions: [...positions.values()].filter(({ lots }) => lots.length > 0), cash };
}

export const quantityOf = (lots: readonly Lot[]): Decimal =>
  sumOf(lots.map(({ quantity }) => quantity));

/** The cost of all lots; null if that of one is unknown. */
export function costOf(lots: readonly Lot[]): Decimal | null {
  const costs = lots.flatMap(({ cost }) => cost ?? []);
  return costs.length === lots.length ? sumOf(costs) : null;
}

function lotsAfter(
  lots: readonly Lot[],
  { ratio, key, day, price, amount, gross }: Movement,
  quantity: Decimal,
): Lot[] {
  const held = quantityOf(lots);
  if (ratio !== null)
    return lots.map((lot) => ({
      ...lot,
      quantity: lot.quantity.times(ratio),
      price: lot.price === null ? null : lot.price.dividedBy(ratio),
    }));
  const opens = held.isZero() || held.isNegative() === quantity.isNegative();
  if (!opens) return closed(lots, quantity.abs());
  const cost = amount?.isZero() === false ? amount.negated() : gross;
  return [...lots, { key, day, quantity, price, cost }];
}

/** The oldest lots are closed first; the cost of one that stays in part is divided. */
function closed(lots: readonly Lot[], quantity: Decimal): Lot[] {
  let left: Decimal = new Exact(quantity);
  return lots.flatMap((lot) => {
    const size = lot.quantity.abs();
    const gone = Exact.min(size, left);
    left = left.minus(gone);
    const kept = size.minus(gone);
    if (kept.isZero()) return [];
    const cost = lot.cost === null ? null : lot.cost.times(kept).dividedBy(size).toDecimalPlaces(2);
    return [
      {
        ...lot,
        quantity: lot.quantity.isNegative() ? ZERO.minus(kept) : kept,
        cost: gone.isZero() ? lot.cost : cost,
      },
    ];
  });
}
