import type { Decimal } from 'decimal.js';
import { cents, Exact } from '../accounts/figures.js';
import type { Market } from './market.js';
import type { Security } from './security.js';

/** The bank's codes for movements of an investment account. */
export type MovementCode =
  | 'BOUGHT'
  | 'SOLD'
  | 'SOLD_SHORT'
  | 'REINVESTED'
  | 'DIVIDEND'
  | 'INTEREST'
  | 'FEE'
  | 'DEPOSIT'
  | 'CONTRIBUTION'
  | 'WITHDRAWAL'
  | 'TRANSFERRED_IN'
  | 'SPLIT'
  | 'EXPIRED';

/** A change of an account's positions or cash. Figures are in main currency. */
export interface Movement {
  /** Names it within its account for ever. */
  key: string;
  day: number;
  code: MovementCode;
  security: Security | null;
  /** The contributions that paid for it, in a plan of an employer. */
  source: string | null;
  /** The change of the position; null = none. */
  quantity: Decimal | null;
  price: Decimal | null;
  /** The change of the account's cash; null = no money moved. */
  amount: Decimal | null;
  gross: Decimal | null;
  fees: Decimal | null;
  taxes: Decimal | null;
  /** The units that one becomes in a split. */
  ratio: Decimal | null;
}

type Named = Pick<Movement, 'key' | 'day' | 'code'>;

const NOTHING: Omit<Movement, keyof Named> = {
  security: null,
  source: null,
  quantity: null,
  price: null,
  amount: null,
  gross: null,
  fees: null,
  taxes: null,
  ratio: null,
};

/** Money in or out. */
export const moneyMovement = (
  movement: Named & { amount: Decimal } & Partial<Movement>,
): Movement => ({ ...NOTHING, ...movement });

/** A change of a position without money. */
export const unpaidMovement = (
  movement: Named & { security: Security; quantity: Decimal } & Partial<Movement>,
): Movement => ({ ...NOTHING, ...movement });

/** A trade at the price of its day. */
export function trade(
  market: Market,
  {
    quantity,
    fees = null,
    price: agreed,
    ...named
  }: Named & {
    security: Security;
    quantity: Decimal;
    price?: Decimal;
    fees?: Decimal | null;
    source?: string | null;
  },
): Movement {
  const { security, day } = named;
  const price = agreed ?? market.priceOn(security, day);
  const gross = cents(quantity.abs().times(price).times(security.priceFactor));
  const paid = quantity.isNegative() ? gross : gross.negated();
  return { ...NOTHING, ...named, quantity, price, gross, fees, amount: paid.minus(fees ?? 0) };
}

/** Units for an amount, by the price of the day, with six decimals. */
export const unitsFor = (market: Market, security: Security, day: number, amount: Decimal) =>
  new Exact(amount).dividedBy(market.priceOn(security, day)).toDecimalPlaces(6, Exact.ROUND_DOWN);
