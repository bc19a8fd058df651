import { Decimal } from 'decimal.js';
import { contentOf } from '../digests/row-content.js';
import type { FetchedInvestmentTransaction } from './fetched-investment-transaction.js';

/** A digest of the content of an investment transaction, without its id and status. */
export function contentOfTrade(trade: FetchedInvestmentTransaction): string {
  const { security, quantity, amount } = trade;
  return contentOf({
    ...trade,
    amount: amount ?? new Decimal(0),
    rawDescription: null,
    position: JSON.stringify([security, quantity]),
  });
}
