import type { Decimal } from 'decimal.js';
import type { FetchedSecurity } from './fetched-security.js';

/** A position, or one lot of it listed as a row, as a source reports it. Every unknown value is null. */
export interface FetchedHolding {
  providerAccountId: string;
  /** The source's id of the row. */
  providerHoldingId: string | null;
  security: FetchedSecurity;
  /** Units; contracts of an option, face value of a bond, money of cash. Negative = short. */
  quantity: Decimal;
  /** Currency per unit as the source reports it, never computed; percent of par of a bond. */
  price: Decimal | null;
  /** The day for which the price held, `YYYY-MM-DD`. */
  priceAsOf: string | null;
  /** As the source reports it, never computed. */
  value: Decimal | null;
  /** The main currency of price, value and cost: never a minor unit such as `GBX`. */
  currency: string;
  cost: FetchedCost;
  /** Empty = none reported. */
  lots: readonly FetchedLot[];
  /** Units. */
  vestedQuantity: Decimal | null;
  /** Text of the source in lower case, such as `employer_match`. */
  contributionSource: string | null;
  /** The holding is money of the account; null = unknown. */
  isCash: boolean | null;
  /** The day on which a row that is a lot was acquired. */
  acquiredOn: string | null;
  /** The part of the account that holds it, if the source has such parts. */
  subAccount: string | null;
}

/** The reported cost of a holding, whose meaning decide-cost-basis.ts decides. */
export interface FetchedCost {
  /** The text of the basis exactly as it came, unreadable text included; null = nothing came. */
  reported: string | null;
  /** The number in it; null = unknown or unreadable. */
  basis: Decimal | null;
  /** The price paid, by its name in the source; null = unknown or unreadable. */
  pricePaid: Decimal | null;
  /** The format states that `basis` is the total paid for the position. */
  isTotal: boolean;
}

export interface FetchedLot {
  providerLotId: string | null;
  acquiredOn: string | null;
  /** Units. */
  quantity: Decimal;
  /** Currency per unit. */
  pricePaid: Decimal | null;
  /** The total paid for the lot, as the format states. */
  costBasis: Decimal | null;
  value: Decimal | null;
}

/** An account of a list of holdings. */
export interface FetchedHoldingsAccount {
  providerAccountId: string;
  currency: string;
  /** The balance of the same response as the holdings; null = unknown. */
  balance: Decimal | null;
  /** The cash that the source itself reports; null = none reported. */
  reportedCash: Decimal | null;
}
