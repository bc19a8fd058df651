import { Decimal } from 'decimal.js';
import type {
  CostBasisEvidence,
  CostBasisSource,
  CostConvention,
  EarlierCost,
} from './cost-basis.js';
import {
  type CostDecision,
  type CostFigures,
  costAsEarlier,
  costByMarketValue,
  costByPurchasePrice,
  costFiguresOf,
  costFromPurchasePrice,
  costInConvention,
  documentedCost,
  isContradicted,
} from './decide-cost-basis.js';
import { decidePriceFactor, possibleFactors, usualFactor } from './decide-price-factor.js';
import { Exact, isWithin, rounded, withSignOf } from './exact-decimal.js';
import type { FetchedHolding } from './fetched-holding.js';

/** A holding with what follows from the figures of its source. Source: native-api 3.13. */
export interface ResolvedHolding extends FetchedHolding {
  /** Computed ones are half to even to 10 decimals, and never used in a sum. */
  price: Decimal | null;
  priceSource: 'reported' | 'computed' | null;
  /** Value = quantity × price × factor; null = the price is unknown. */
  priceFactor: Decimal | null;
  /** As reported, with the sign of the quantity; else quantity × price × factor. */
  value: Decimal | null;
  /** The total paid for the holding, with the sign of the quantity; null = not proved. */
  costBasis: Decimal | null;
  costBasisSource: CostBasisSource | null;
  costBasisEvidence: CostBasisEvidence | null;
}

/** Earlier decisions about an account. */
export interface CostMemory {
  convention: CostConvention | null;
  /** In the order of the holdings: the last decision for the same stored holding; null = none. */
  earlier: readonly (EarlierCost | null)[];
}

interface Undecided {
  holding: FetchedHolding;
  earlier: EarlierCost | null;
  /** Null = nothing is held, so nothing was paid for it. */
  figures: CostFigures | null;
  decision: CostDecision | null;
}

/**
 * Resolves price, value and cost basis of all holdings of one account.
 * @returns the holdings in the same order, and the convention of the account to remember
 */
export function resolveHoldings(
  holdings: readonly FetchedHolding[],
  memory: CostMemory,
): { holdings: ResolvedHolding[]; convention: CostConvention | null } {
  const cases = holdings.map((holding, place) => undecided(holding, memory.earlier[place] ?? null));
  decide(cases, ({ holding }, figures) => documentedCost(holding, figures));
  decide(cases, (_, figures) => costByPurchasePrice(figures));
  const proved = new Set(cases.flatMap(({ decision }) => decision?.proves ?? []));
  const [convention = memory.convention, contrary] = proved;
  const isRemembered = contrary === undefined && convention === memory.convention;
  const remembered = isRemembered ? memory.convention : null;
  decide(cases, ({ holding, earlier }, figures) =>
    costAsEarlier(figures, holding.cost.reported, earlier),
  );
  decide(cases, (_, figures) =>
    remembered === null ? null : costInConvention(figures, remembered, 'remembered'),
  );
  decide(cases, (_, figures) =>
    isContradicted(figures) || proved.has('per_unit') ? null : costByMarketValue(figures),
  );
  const siblings = conventionOfSiblings(cases);
  decide(cases, (_, figures) =>
    siblings === null || isContradicted(figures)
      ? null
      : costInConvention(figures, siblings, 'siblings'),
  );
  decide(cases, (_, figures) => costFromPurchasePrice(figures));
  return {
    holdings: cases.map(resolved),
    convention: contrary === undefined ? convention : null,
  };
}

function undecided(holding: FetchedHolding, earlier: EarlierCost | null): Undecided {
  const { price, value } = holding;
  const factors =
    price === null || value === null || value.isZero()
      ? possibleFactors(holding)
      : [decidePriceFactor({ ...holding, price })];
  return { holding, earlier, figures: costFiguresOf(holding, factors), decision: null };
}

/** One step: applies a rule to the holdings that no earlier step has decided. */
function decide(
  cases: readonly Undecided[],
  rule: (undecided: Undecided, figures: CostFigures) => CostDecision | null,
): void {
  for (const each of cases) if (each.figures !== null) each.decision ??= rule(each, each.figures);
}

/** The meaning of the basis in two or more holdings that were decided by figures of their own. */
function conventionOfSiblings(cases: readonly Undecided[]): CostConvention | null {
  const conventions = cases.flatMap(({ decision, figures }) => {
    if (decision === null || figures === null || !isOwnEvidence(decision)) return [];
    const factors = decision.factor === null ? figures.factors : [decision.factor];
    const areReadingsApart = factors.every(
      (factor) => !isWithin(figures.quantity.times(factor), 2),
    );
    return areReadingsApart ? [decision.source] : [];
  });
  const [first] = conventions;
  if (conventions.length < 2 || conventions.some((each) => each !== first)) return null;
  return first === 'reported_total' ? 'total' : 'per_unit';
}

function isOwnEvidence({ source, evidence }: CostDecision): boolean {
  return (
    (source === 'reported_total' || source === 'reported_per_unit') &&
    (evidence === 'purchase_price' || evidence === 'market_value')
  );
}

function resolved({ holding, decision }: Undecided): ResolvedHolding {
  const costBasis =
    decision === null ? null : rounded(withSignOf(decision.costBasis, holding.quantity));
  // A basis below the last decimal would be stored as 0, which means that nothing was paid.
  const isKnown = costBasis !== null && !costBasis.isZero();
  return {
    ...holding,
    ...pricesOf(holding, decision?.factor ?? null),
    costBasis: isKnown ? costBasis : null,
    costBasisSource: isKnown ? (decision?.source ?? null) : null,
    costBasisEvidence: isKnown ? (decision?.evidence ?? null) : null,
  };
}

function pricesOf(
  holding: FetchedHolding,
  provedFactor: Decimal | null,
): Pick<ResolvedHolding, 'price' | 'priceSource' | 'priceFactor' | 'value'> {
  const { quantity, price, value } = holding;
  if (price !== null) {
    const factor = decidePriceFactor({ ...holding, price });
    return {
      price,
      priceSource: 'reported',
      priceFactor: new Decimal(factor),
      value:
        value === null
          ? rounded(new Exact(quantity).times(price).times(factor))
          : valueOf(holding, value),
    };
  }
  const unknown = { price: null, priceSource: null, priceFactor: null };
  if (value === null) return { ...unknown, value: null };
  if (quantity.isZero()) return { ...unknown, value: valueOf(holding, value) };
  const factor = provedFactor ?? usualFactor(holding);
  const computed = rounded(new Exact(value).div(new Exact(quantity).times(factor)).abs());
  const isLost = computed.isZero() && !value.isZero();
  return {
    ...(isLost
      ? unknown
      : { price: computed, priceSource: 'computed' as const, priceFactor: new Decimal(factor) }),
    value: valueOf(holding, value),
  };
}

function valueOf({ quantity }: FetchedHolding, value: Decimal): Decimal {
  if (value.isZero()) return new Decimal(0);
  return quantity.isZero() ? value : withSignOf(value, quantity);
}
