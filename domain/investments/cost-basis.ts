import type { Decimal } from 'decimal.js';

/** The meaning of a basis that a source sends: for the whole position, or for one unit of it. */
export type CostConvention = 'total' | 'per_unit';

/** The figures that a cost basis comes from. Source: native-api 3.13. */
export const COST_BASIS_SOURCES = [
  'reported_total',
  'reported_per_unit',
  'from_lots',
  'from_purchase_price',
] as const;
export type CostBasisSource = (typeof COST_BASIS_SOURCES)[number];

/** The proof of a cost basis. Source: native-api 3.13. */
export const COST_BASIS_EVIDENCE = [
  'documented',
  'purchase_price',
  'remembered',
  'market_value',
  'siblings',
] as const;
export type CostBasisEvidence = (typeof COST_BASIS_EVIDENCE)[number];

/** The last decision for the stored holding; null = the basis was unknown. */
export interface EarlierCost {
  /** The text of the basis that was decided, as it came. */
  reported: string | null;
  costBasis: Decimal | null;
  source: CostBasisSource | null;
  evidence: CostBasisEvidence | null;
}
