import type { Decimal } from 'decimal.js';
import type { FetchedSecurity } from './fetched-security.js';
import type { InvestmentTransactionType } from './investment-transaction-types.js';

/** A movement of an investment account as a source reports it. Every unknown value is null. */
export interface FetchedInvestmentTransaction {
  providerTransactionId: string;
  providerAccountId: string;
  /** Null = no security was involved. */
  security: FetchedSecurity | null;
  type: InvestmentTransactionType;
  /** An open list, with underscores. */
  subtype: string | null;
  /** The source's own code, as sent. */
  sourceCode: string | null;
  /** The change of the position: in positive, out negative; null = no position changed. */
  quantity: Decimal | null;
  /** Currency per unit; percent of par of a bond. */
  price: Decimal | null;
  /** The change of the account's cash: in positive, out negative; 0 of reinvested income; null = no money moved. */
  amount: Decimal | null;
  /** `amount` follows from quantity and price, since the source sent none (complete-trade.ts). */
  isAmountComputed?: boolean;
  /** The value of what moved, as sent, never negative. */
  gross: Decimal | null;
  /** Never negative, included in `amount`. */
  fees: Decimal | null;
  /** Never negative, included in `amount`. */
  taxes: Decimal | null;
  currency: string;
  /** The day of the trade, `YYYY-MM-DD`. */
  date: string;
  /** Local time of the institution, `YYYY-MM-DDTHH:MM:SS.mmm`. */
  datetime: string | null;
  settledOn: string | null;
  description: string | null;
  pending: boolean;
  /** The source's id of the row that this row cancels. */
  cancels: string | null;
  /** The source's id of the row of `transactions` that is the same movement of cash. */
  cashTransactionId: string | null;
}
