import type { CostConvention, EarlierCost } from '../../../../../domain/investments/cost-basis.js';
import { resolveHoldings } from '../../../../../domain/investments/resolve-holdings.js';
import { holdingOf, type SentHolding } from './holdings.js';

export interface Memory {
  convention?: CostConvention;
  earlier?: readonly (EarlierCost | null)[];
}

export function resolve(sent: readonly SentHolding[], { convention, earlier = [] }: Memory = {}) {
  return resolveHoldings(
    sent.map((each) => holdingOf(each)),
    { convention: convention ?? null, earlier },
  );
}

/** `4120 reported_total purchase_price` of each holding, or `unknown`. */
export const costsOf = (sent: readonly SentHolding[], memory?: Memory) =>
  resolve(sent, memory).holdings.map(({ costBasis, costBasisSource, costBasisEvidence }) =>
    costBasis === null
      ? `unknown${costBasisSource ?? ''}${costBasisEvidence ?? ''}`
      : `${costBasis.toFixed()} ${costBasisSource} ${costBasisEvidence}`,
  );
