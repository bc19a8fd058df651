import type { InvestmentTransactionType } from '../../../../../domain/investments/investment-transaction-types.js';

/** Quantities and prices are decimal text, as in the native API. */
type DecimalText = string;

/** A holding of the native API (native-api 4.14). */
export interface StoredHolding {
  account_id: string;
  security_id: string;
  quantity: DecimalText;
  price: DecimalText | null;
  price_factor: DecimalText | null;
  price_as_of: string | null;
  value: number | null;
  currency: string;
  cost_basis: number | null;
  vested_quantity: DecimalText | null;
  is_cash: boolean | null;
  lots: readonly StoredLot[];
}

export interface StoredLot {
  lot_id: string | null;
  acquired_on: string | null;
  quantity: DecimalText;
  price_paid: DecimalText | null;
  cost_basis: DecimalText | null;
  value: DecimalText | null;
}

/** A security of the native API (native-api 4.15). */
export interface StoredSecurity {
  security_id: string;
  name: string | null;
  symbol: string | null;
  exchange: string | null;
  isin: string | null;
  cusip: string | null;
  sedol: string | null;
  figi: string | null;
  type: string | null;
  subtype: string | null;
  currency: string | null;
  is_cash_equivalent: boolean | null;
  option: {
    underlying_symbol: string;
    kind: 'put' | 'call';
    expires_on: string;
    strike_price: DecimalText;
    contract_size: DecimalText | null;
  } | null;
  fixed_income: {
    face_value: number | null;
    coupon_rate: number | null;
    yield_to_maturity: number | null;
    matures_on: string | null;
    issued_on: string | null;
  } | null;
}

/** An account with holdings of the native API (native-api 4.14). */
export interface StoredHoldingsAccount {
  account_id: string;
  currency: string;
  in_cash_holdings: number | null;
  cash: { amount: number | null };
}

/** An investment transaction of the native API (native-api 4.16). */
export interface StoredTrade {
  investment_transaction_id: string;
  account_id: string;
  security_id: string | null;
  type: InvestmentTransactionType;
  subtype: string | null;
  quantity: DecimalText | null;
  price: DecimalText | null;
  price_factor: DecimalText | null;
  amount: number | null;
  gross: number | null;
  fees: number | null;
  taxes: number | null;
  currency: string;
  date: string;
  datetime: string | null;
  description: string | null;
  pending: boolean;
}
