import { Decimal } from 'decimal.js';
import { currencyCodes } from './currency.js';
import { investmentType } from './investment-type.js';
import { moneyNumber } from './money-number.js';
import { securityUnits } from './security-units.js';
import type { StoredSecurity, StoredTrade } from './stored-investments.js';

/** Source: plaid-compat 6.10. */
export function presentInvestmentTransaction(trade: StoredTrade, security: StoredSecurity | null) {
  const units = securityUnits(security, trade.price_factor);
  const kind = investmentType(trade);
  return {
    investment_transaction_id: trade.investment_transaction_id,
    cancel_transaction_id: null,
    account_id: trade.account_id,
    security_id: trade.security_id,
    date: trade.date.slice(0, 10),
    transaction_datetime: trade.datetime === null ? null : `${trade.datetime}Z`,
    name: trade.description ?? security?.name ?? kind.subtype,
    quantity: trade.quantity === null ? 0 : units.quantityOf(trade.quantity),
    amount: amountOf(trade),
    price: trade.price === null ? 0 : units.priceOf(trade.price),
    fees: sumOf(trade.fees, trade.taxes),
    ...kind,
    ...currencyCodes(trade.currency),
  };
}

/** Plaid counts money that leaves as positive, and a reinvestment by the value of what it bought. */
function amountOf({ subtype, amount, gross }: StoredTrade): number {
  if (subtype === 'reinvestment' && gross !== null) return gross;
  return moneyNumber(-(amount ?? 0));
}

/** Null if neither is known. */
function sumOf(one: number | null, other: number | null): number | null {
  if (one === null && other === null) return null;
  return moneyNumber(new Decimal(one ?? 0).plus(other ?? 0));
}
