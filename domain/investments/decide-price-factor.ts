import type { Decimal } from 'decimal.js';
import { Exact } from './exact-decimal.js';
import type { FetchedHolding } from './fetched-holding.js';
import { hasQuotedMinorUnit } from './main-currency.js';
import { parseOptionSymbol } from './option-symbol.js';
import { isCusip } from './security-identifiers.js';

const ONE = new Exact(1);
const HUNDREDTH = new Exact('0.01');
const USUAL_CONTRACT_SIZE = new Exact(100);
/** Agreement that fees, rounding and prices of the day before leave intact. */
const AGREEMENT = 1.01;
/** The minimum by which every other factor misses the value. */
const DECISIVE = 25;

type PricedHolding = Pick<FetchedHolding, 'security' | 'currency' | 'quantity' | 'price' | 'value'>;

/**
 * The factors that may turn quantity × price into money, the one that the type of the security
 * suggests first: 1; the contract size of an option; 0.01 of a bond, less what was repaid, and of a
 * price that may be in pence. Source: native-api 3.13.
 */
export function possibleFactors({ security, currency }: PricedHolding): Decimal[] {
  const usual = usualFactor({ security });
  const symbol = security.symbol ?? '';
  const option = parseOptionSymbol(symbol) === null ? [] : [contractSize(security)];
  const hundredth = isCusip(symbol) || hasQuotedMinorUnit(currency) ? [HUNDREDTH] : [];
  const unpaid = security.fixedIncome?.amortizationFactor;
  const amortized = isPositive(unpaid) ? [HUNDREDTH.times(unpaid)] : [];
  return [usual, ONE, ...option, ...hundredth, ...amortized].filter(
    (factor, place, all) => all.findIndex((other) => other.equals(factor)) === place,
  );
}

/** The factor of the security's type. Symbols alone make a factor possible, not usual. */
export function usualFactor({ security }: Pick<PricedHolding, 'security'>): Decimal {
  if (security.option !== null || security.subtype === 'option') return contractSize(security);
  return security.type === 'fixed_income' ? HUNDREDTH : ONE;
}

/**
 * The factor of the price that the source reports: the only one with which the value agrees, else
 * the one that is decisively nearest to it, else that of the security's type.
 */
export function decidePriceFactor(holding: PricedHolding & { price: Decimal }): Decimal {
  const { quantity, price, value } = holding;
  return (
    factorByValue({ quantity, price, value }, possibleFactors(holding)) ?? usualFactor(holding)
  );
}

/**
 * The factor with which quantity × price × factor is the value; a single one needs no value.
 * @returns null if the value leaves several possible
 */
export function factorByValue(
  { quantity, price, value }: { quantity: Decimal; price: Decimal; value: Decimal | null },
  factors: readonly Decimal[],
): Decimal | null {
  if (factors.length === 1) return factors[0] ?? null;
  if (value === null || value.isZero() || price.isZero() || quantity.isZero()) return null;
  const [nearest, next] = factors
    .map((factor) => {
      const ratio = new Exact(quantity).times(price).times(factor).div(value).abs();
      return { factor, miss: ratio.lessThan(1) ? ONE.div(ratio) : ratio };
    })
    .sort((one, other) => one.miss.comparedTo(other.miss));
  if (nearest === undefined || next === undefined) return null;
  const isOnlyAgreement = nearest.miss.lte(AGREEMENT) && next.miss.gt(AGREEMENT);
  return isOnlyAgreement || next.miss.gte(DECISIVE) ? nearest.factor : null;
}

function contractSize({ option }: FetchedHolding['security']): Decimal {
  const stated = option?.contractSize;
  return isPositive(stated) ? new Exact(stated) : USUAL_CONTRACT_SIZE;
}

function isPositive(stated: Decimal | null | undefined): stated is Decimal {
  return stated?.isPositive() === true && !stated.isZero();
}
