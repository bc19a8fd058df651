import type { Decimal } from 'decimal.js';
import { jsonNumberOrNull } from '../api/money.js';
import type { FetchedInvestmentTransaction } from './fetched-investment-transaction.js';
import { tradePriceFactor } from './trade-price-factor.js';

/** The public ids in an investment transaction; null = none, or not known. */
export interface TradeIds {
  accountId: string;
  securityId: string | null;
  /** The investment transaction that this one cancels. */
  cancels: string | null;
  /** The row of `transactions` that is the same movement of cash. */
  transactionId: string | null;
}

/**
 * The public JSON of an InvestmentTransaction, rendered once when it is stored: quantity and price
 * as decimal strings, money as JSON numbers, every field always present. Source: native-api 3.14.
 */
export function renderInvestmentTransaction(
  investmentTransactionId: string,
  trade: FetchedInvestmentTransaction,
  { accountId, securityId, cancels, transactionId }: TradeIds,
): string {
  const text = JSON.stringify;
  return (
    `{"investment_transaction_id":${text(investmentTransactionId)},"account_id":${text(accountId)},` +
    `"security_id":${text(securityId)},"type":"${trade.type}","subtype":${text(trade.subtype)},` +
    `"source_code":${text(trade.sourceCode)},"quantity":${decimalText(trade.quantity)},` +
    `"price":${decimalText(trade.price)},"price_factor":${decimalText(tradePriceFactor(trade))},` +
    `"amount":${jsonNumberOrNull(trade.amount)},"amount_source":${text(amountSource(trade))},` +
    `"gross":${jsonNumberOrNull(trade.gross)},"fees":${jsonNumberOrNull(trade.fees)},` +
    `"taxes":${jsonNumberOrNull(trade.taxes)},"currency":${text(trade.currency)},` +
    `"date":"${trade.date}T00:00:00","datetime":${text(trade.datetime)},"settled_on":${text(trade.settledOn)},` +
    `"description":${text(trade.description)},"pending":${trade.pending},` +
    `"cancels":${text(cancels)},"transaction_id":${text(transactionId)}}`
  );
}

/** The origin of an amount. Source: native-api 3.14. */
export const AMOUNT_SOURCES = ['reported', 'computed'] as const;

function amountSource({
  amount,
  isAmountComputed = false,
}: FetchedInvestmentTransaction): (typeof AMOUNT_SOURCES)[number] | null {
  if (amount === null) return null;
  return isAmountComputed ? 'computed' : 'reported';
}

function decimalText(value: Decimal | null): string {
  return value === null ? 'null' : `"${jsonNumberOrNull(value)}"`;
}
