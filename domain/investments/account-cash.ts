import { Decimal } from 'decimal.js';
import { Exact } from './exact-decimal.js';
import type { FetchedHoldingsAccount } from './fetched-holding.js';

/** Half a cent: the rounding of a value, and of the balance. */
const ROUNDING = new Exact('0.005');

interface ValuedHolding {
  value: Decimal | null;
  currency: string;
  /** The holding is money of the account; null = unknown. */
  isCash: boolean | null;
}

export interface AccountCash {
  /** Of all holdings, cash ones included; null = a part is unknown or in another currency. */
  holdingsValue: Decimal | null;
  /** Of the cash holdings; null = also if it is unknown which they are. */
  inCashHoldings: Decimal | null;
  cash: {
    /** Money that is in no holding; negative = borrowed on margin. */
    amount: Decimal | null;
    source: 'computed' | 'confirmed' | null;
    /** The cash that the source reports, which includes cash holdings. */
    reported: Decimal | null;
  };
}

/**
 * The cash of an account is the part of its balance that is in no holding, so a money market fund
 * that is a holding and part of the balance counts once. A reported cash that disagrees belongs to
 * another time than the values, and makes the amount unknown. Source: native-api 3.13.
 * @param isIncomplete whether the list of holdings may lack some
 */
export function accountCash(
  {
    currency,
    balance,
    reportedCash,
  }: Pick<FetchedHoldingsAccount, 'currency' | 'balance' | 'reportedCash'>,
  holdings: readonly ValuedHolding[],
  isIncomplete: boolean,
): AccountCash {
  const sum = (counted: readonly ValuedHolding[]) =>
    isIncomplete ? null : sumOf(counted, currency);
  const holdingsValue = sum(holdings);
  const inCashHoldings = holdings.some(({ isCash }) => isCash === null)
    ? null
    : sum(holdings.filter(({ isCash }) => isCash));
  const tolerance = ROUNDING.times(holdings.length + 1);
  const isNothing = (amount: Decimal) => amount.abs().lte(tolerance);
  const computed = (): AccountCash['cash'] => {
    const unknown = { amount: null, source: null, reported: reportedCash };
    if (balance === null || holdingsValue === null) return unknown;
    const rest = new Exact(balance).minus(holdingsValue);
    const amount = new Decimal(isNothing(rest) ? 0 : rest);
    if (reportedCash === null || inCashHoldings === null)
      return { amount, source: 'computed', reported: reportedCash };
    return isNothing(rest.plus(inCashHoldings).minus(reportedCash))
      ? { amount, source: 'confirmed', reported: reportedCash }
      : unknown;
  };
  return { holdingsValue, inCashHoldings, cash: computed() };
}

function sumOf(holdings: readonly ValuedHolding[], ofCurrency: string): Decimal | null {
  let sum = new Exact(0);
  for (const { value, currency } of holdings) {
    if (value === null || currency !== ofCurrency) return null;
    sum = sum.plus(value);
  }
  return new Decimal(sum);
}
