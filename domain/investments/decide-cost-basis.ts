import { Decimal } from 'decimal.js';
import type {
  CostBasisEvidence,
  CostBasisSource,
  CostConvention,
  EarlierCost,
} from './cost-basis.js';
import { factorByValue } from './decide-price-factor.js';
import { Exact, isWithin } from './exact-decimal.js';
import type { FetchedHolding } from './fetched-holding.js';

/** The sizes of the figures that decide; null = unknown, as zero is. */
export interface CostFigures {
  quantity: Decimal;
  /** The basis as sent, for the position or for a unit. */
  basis: Decimal | null;
  /** The price paid as sent. */
  paid: Decimal | null;
  value: Decimal | null;
  /** The possible factors of a price (decide-price-factor.ts), the usual one first. */
  factors: readonly Decimal[];
}

export interface CostDecision {
  /** Exact, never negative. */
  costBasis: Decimal;
  source: CostBasisSource;
  evidence: CostBasisEvidence;
  /** The factor of prices that the figures showed; null = they did not need one. */
  factor: Decimal | null;
  /** The convention of the whole account that this decision proves; null = none. */
  proves: CostConvention | null;
}

/** Fees that a total contains and a price does not. */
const FEES = new Exact('0.01');
/** Cents, because decimals do not keep the zeros that were sent. */
const MIN_PLACES = 2;
/** Two figures of one position of which neither made an extraordinary gain or loss. */
const SIMILAR = 4;
/** Read per unit, the basis would be a loss of more than 96 %. */
const IMPLAUSIBLE = 25;

export function costFiguresOf(
  { quantity, value, cost }: Pick<FetchedHolding, 'quantity' | 'value' | 'cost'>,
  factors: readonly Decimal[],
): CostFigures | null {
  if (quantity.isZero()) return null;
  return {
    quantity: new Exact(quantity).abs(),
    basis: known(cost.basis),
    paid: known(cost.pricePaid),
    value: known(value),
    factors,
  };
}

function known(figure: Decimal | null): Decimal | null {
  return figure === null || figure.isZero() ? null : new Exact(figure).abs();
}

/** Step D: the format states a total, by complete lots or by itself. */
export function documentedCost(
  { quantity, lots, cost }: Pick<FetchedHolding, 'quantity' | 'lots' | 'cost'>,
  { basis }: CostFigures,
): CostDecision | null {
  const fromLots = totalOfLots(quantity, lots);
  if (fromLots !== null) return decision(fromLots, 'from_lots', 'documented');
  return cost.isTotal && basis !== null ? decision(basis, 'reported_total', 'documented') : null;
}

function totalOfLots(quantity: Decimal, lots: FetchedHolding['lots']): Decimal | null {
  let held = new Exact(0);
  let total = new Exact(0);
  for (const lot of lots) {
    const basis = known(lot.costBasis);
    if (basis === null) return null;
    held = held.plus(lot.quantity.abs());
    total = total.plus(basis);
  }
  return lots.length > 0 && held.equals(quantity.abs()) ? total : null;
}

/** Step P: the price paid shows whether the basis is that of the position or of a unit. */
export function costByPurchasePrice(figures: CostFigures): CostDecision | null {
  const { quantity, basis, paid, factors } = figures;
  if (basis === null || paid === null) return null;
  const total = nearestTotal(figures);
  if (!agree(basis, paid, roundingOf(paid)))
    return total === null
      ? null
      : {
          ...decision(basis, 'reported_total', 'purchase_price', total.factor),
          proves: 'total',
        };
  const factor = factorByValue({ ...figures, price: paid }, factors);
  const isTotal =
    total !== null &&
    total.factor.equals(factor ?? factors[0] ?? 1) &&
    total.apart.lte(basis.minus(paid).abs());
  // Both readings are the same, or nearly so: this shows nothing about other holdings.
  if (isTotal) return decision(basis, 'reported_total', 'purchase_price', total.factor);
  if (factor === null) return null;
  const costBasis = quantity.times(basis).times(factor);
  // The price paid may repeat the total: the value tells them apart.
  if (isOfValue(figures, basis) && !isOfValue(figures, costBasis)) return null;
  return {
    ...decision(costBasis, 'reported_per_unit', 'purchase_price', factor),
    proves: isOfValue(figures, costBasis) && isFarFromValue(figures, basis) ? 'per_unit' : null,
  };
}

/** True if basis and price paid are the same figure, or quantity × price paid is the basis. */
export function isContradicted(figures: CostFigures): boolean {
  const { basis, paid } = figures;
  if (basis === null || paid === null) return false;
  return !agree(basis, paid, roundingOf(paid)) && nearestTotal(figures) === null;
}

function nearestTotal({ quantity, basis, paid, factors }: CostFigures) {
  if (basis === null || paid === null) return null;
  const agreeing = factors.flatMap((factor) => {
    const units = quantity.times(factor);
    const reading = units.times(paid);
    return agree(basis, reading, roundingOf(paid).times(units))
      ? [{ factor, apart: basis.minus(reading).abs() }]
      : [];
  });
  return agreeing.sort((one, other) => one.apart.comparedTo(other.apart))[0] ?? null;
}

/** Apart by no more than the rounding of the digits sent, or by fees. */
function agree(basis: Decimal, reading: Decimal, rounding: Decimal): boolean {
  const apart = basis.minus(reading).abs();
  return (
    apart.lte(rounding.plus(roundingOf(basis))) || apart.lte(Exact.max(basis, reading).times(FEES))
  );
}

function roundingOf(sent: Decimal): Decimal {
  return new Exact(10).pow(-Math.max(MIN_PLACES, sent.decimalPlaces())).div(2);
}

function isOfValue({ value }: CostFigures, total: Decimal): boolean {
  return value !== null && isWithin(total.div(value), SIMILAR);
}

function isFarFromValue({ value }: CostFigures, total: Decimal): boolean {
  return value !== null && !isWithin(total.div(value), IMPLAUSIBLE);
}

/** Step H: the basis has the same digits as when it was decided, so it has the same meaning. */
export function costAsEarlier(
  figures: CostFigures,
  reported: string | null,
  earlier: EarlierCost | null,
): CostDecision | null {
  if (earlier === null || earlier.evidence === null || earlier.costBasis === null) return null;
  if (reported === null || reported !== earlier.reported) return null;
  if (earlier.source === 'reported_total')
    return costInConvention(figures, 'total', earlier.evidence);
  if (earlier.source === 'reported_per_unit')
    return costInConvention(figures, 'per_unit', earlier.evidence);
  return null;
}

/** Steps C and S: the basis has the meaning that the account's other figures have shown. */
export function costInConvention(
  figures: CostFigures,
  convention: CostConvention,
  evidence: CostBasisEvidence,
): CostDecision | null {
  const { quantity, basis, factors } = figures;
  if (basis === null) return null;
  if (convention === 'total') return decision(basis, 'reported_total', evidence);
  const factor = factorByValue({ ...figures, price: basis }, factors);
  return factor === null
    ? null
    : decision(quantity.times(basis).times(factor), 'reported_per_unit', evidence, factor);
}

/**
 * Step M: the basis is of the size of the value, and read per unit it would be an enormous loss. The
 * value never shows that a basis is per unit, because a gain of 25 times is ordinary.
 */
export function costByMarketValue(figures: CostFigures): CostDecision | null {
  const { quantity, basis, value, factors } = figures;
  if (basis === null || value === null || !isOfValue(figures, basis)) return null;
  const isLoss = factors.every((factor) =>
    quantity.times(basis).times(factor).gt(value.times(IMPLAUSIBLE)),
  );
  return isLoss ? decision(basis, 'reported_total', 'market_value') : null;
}

/** Step U: only the price paid is known. */
export function costFromPurchasePrice(figures: CostFigures): CostDecision | null {
  const { quantity, basis, paid, value, factors } = figures;
  if (basis !== null || paid === null) return null;
  const factor = factorByValue({ ...figures, price: paid }, factors);
  if (factor === null) return null;
  const total = quantity.times(paid).times(factor);
  return value === null || !isFarFromValue(figures, total)
    ? decision(total, 'from_purchase_price', 'purchase_price', factor)
    : null;
}

function decision(
  costBasis: Decimal,
  source: CostBasisSource,
  evidence: CostBasisEvidence,
  factor: Decimal | null = null,
): CostDecision {
  return { costBasis, source, evidence, factor, proves: null };
}
