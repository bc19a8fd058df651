import { Decimal } from 'decimal.js';
import { amountText } from './amount-text.js';
import { noonOf } from './epoch-days.js';

/** A current holding as it is stored. */
export interface StoredHolding {
  holdingId: string;
  /** The day on which it was first stored, `YYYY-MM-DD`. */
  firstSeen: string;
  /** Decimal texts of the numbers in its public JSON, with every digit; null = unknown. */
  value: string | null;
  costBasis: string | null;
  /** Its public JSON (native-api 3.13). */
  body: string;
  /** The public JSON of its security. */
  security: string;
}

/** The other members of the public JSON that SimpleFIN has a place for. */
interface HoldingTexts {
  quantity: string;
  price_factor: string | null;
  price_as_of: string | null;
  currency: string;
}
interface SecurityTexts {
  name: string | null;
  symbol: string | null;
  type: string | null;
}

const PRICE_DIGITS = 12;
const MAX_PLACES = 19;
const TOO_LARGE = '1e19';
/** Exact for a quantity and a factor of 38 digits each. */
const Exact = Decimal.clone({ precision: 100 });

/**
 * A holding as finance apps read it. The cost is always the total, and the price paid follows from it,
 * so that a reader can prove which of the two it is. Unknown values are left out: readers take zero for
 * a number.
 */
export function presentHolding(holding: StoredHolding): Record<string, unknown> {
  const facts = JSON.parse(holding.body) as HoldingTexts;
  const { name, symbol, type } = JSON.parse(holding.security) as SecurityTexts;
  const { quantity, price_factor: factor, price_as_of: day, currency } = facts;
  const cost = nonZero(holding.costBasis);
  const pricePaid = cost === null ? null : pricePaidOf(cost, quantity, factor);
  const money = (value: Decimal.Value) => amountText(value, currency);
  return {
    id: holding.holdingId,
    created: noonOf(holding.firstSeen),
    ...(symbol === null ? {} : { symbol }),
    description: name ?? symbol ?? '',
    shares: quantity,
    ...(holding.value === null ? {} : { market_value: money(holding.value) }),
    ...(cost === null ? {} : { cost_basis: money(cost) }),
    ...(pricePaid === null ? {} : { purchase_price: pricePaid }),
    currency,
    extra: {
      ...(type === null ? {} : { security_type: type }),
      ...(factor === null ? {} : { price_factor: factor }),
      ...(day === null ? {} : { price_as_of: day }),
      ...(cost === null ? {} : { cost_basis: 'total' }),
    },
  };
}

/**
 * Null without a factor, which relates a price to the value, and for a price that is too large or too
 * small to be one: readers take 19 digits on each side of the point.
 */
function pricePaidOf(cost: Decimal, quantity: string, factor: string | null): string | null {
  const units = factor === null ? null : new Exact(quantity).times(factor);
  if (units === null || units.isZero()) return null;
  const price = new Exact(cost)
    .div(units)
    .abs()
    .toSignificantDigits(PRICE_DIGITS)
    .toDecimalPlaces(MAX_PLACES);
  return price.isZero() || price.gte(TOO_LARGE) ? null : price.toFixed();
}

const nonZero = (text: string | null): Decimal | null => {
  const value = text === null ? null : new Decimal(text);
  return value === null || value.isZero() ? null : value;
};
