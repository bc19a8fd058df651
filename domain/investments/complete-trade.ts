import type { Decimal } from 'decimal.js';
import { minorDigits } from '../simplefin/minor-digits.js';
import { Exact } from './exact-decimal.js';
import type { FetchedInvestmentTransaction } from './fetched-investment-transaction.js';
import type { InvestmentTransactionType } from './investment-transaction-types.js';
import { tradePriceFactor } from './trade-price-factor.js';

type Sign = 1 | -1;

/** The direction that a type alone decides; of other types the source states it. Source: native-api 3.14. */
const SIGNS: Readonly<
  Partial<Record<InvestmentTransactionType, { quantity?: Sign; amount: Sign }>>
> = {
  buy: { quantity: 1, amount: -1 },
  sell: { quantity: -1, amount: 1 },
  dividend: { amount: 1 },
  interest: { amount: 1 },
  fee: { amount: -1 },
  tax: { amount: -1 },
};

export interface CompletedTrade {
  trade: FetchedInvestmentTransaction;
  /** The source stated a direction that contradicts the type. */
  isSignCorrected: boolean;
}

/**
 * Gives a trade the signs of its type, and a purchase or sale without an amount the amount that
 * follows from its price. A row that cancels another one has the opposite direction of its type, so
 * its signs stay. Null = a purchase or sale whose amount is unknown. Source: native-api 3.14.
 */
export function completeTrade(fetched: FetchedInvestmentTransaction): CompletedTrade | null {
  const signs = fetched.cancels === null ? SIGNS[fetched.type] : undefined;
  if (signs === undefined) return { trade: fetched, isSignCorrected: false };
  const quantity = signed(fetched.quantity, signs.quantity);
  const stated = signed(fetched.amount, signs.amount);
  const isSignCorrected = !isSame(quantity, fetched.quantity) || !isSame(stated, fetched.amount);
  const isOrder = signs.quantity !== undefined;
  if (stated !== null || !isOrder)
    return { trade: { ...fetched, quantity, amount: stated }, isSignCorrected };
  const amount = amountOf(fetched, signs.amount);
  if (amount === null) return null;
  return { trade: { ...fetched, quantity, amount, isAmountComputed: true }, isSignCorrected };
}

/** quantity × price × factor; fees and taxes add to what a purchase costs, and reduce what a sale brings. */
function amountOf(trade: FetchedInvestmentTransaction, sign: Sign): Decimal | null {
  const { quantity, price, gross, fees, taxes, currency } = trade;
  const factor = tradePriceFactor(trade);
  const value =
    gross ??
    (quantity === null || price === null || factor === null
      ? null
      : new Exact(quantity.abs()).times(price).times(factor));
  if (value === null) return null;
  return new Exact(value)
    .times(sign)
    .minus(fees ?? 0)
    .minus(taxes ?? 0)
    .toDecimalPlaces(minorDigits(currency));
}

function signed(value: Decimal | null, sign: Sign | undefined): Decimal | null {
  if (value === null || value.isZero() || sign === undefined) return value;
  return sign === 1 ? value.abs() : value.abs().negated();
}

const isSame = (one: Decimal | null, other: Decimal | null): boolean =>
  one === other || (one !== null && other !== null && one.equals(other));
