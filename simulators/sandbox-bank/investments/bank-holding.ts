import type { BankSecurity } from './security.js';

/** A position, or a lot of one, in the bank's API. Figures are exact decimals in strings. */
export interface BankHolding {
  holding_id: string;
  account_id: string;
  security: BankSecurity;
  /** Contracts of an option, face value of a bond. Negative = short. */
  quantity: string;
  price: string | null;
  price_date: string | null;
  value: string | null;
  /** Of price, value and cost: an ISO code, or `GBX` for pence. */
  currency: string;
  cost_basis: string | null;
  /** `TOTAL`: the cost of the whole position; null = the custodian does not state it. */
  cost_basis_kind: 'TOTAL' | null;
  purchase_price: string | null;
  lots: BankLot[];
  vested_quantity: string | null;
  contribution_source: string | null;
  /** The position is money of the account; null = not stated. */
  is_cash: boolean | null;
  /** The day on which a row that is a lot was bought. */
  acquired_on: string | null;
}

export interface BankLot {
  lot_id: string;
  acquired_on: string | null;
  quantity: string;
  purchase_price: string | null;
  cost_basis: string | null;
  value: string | null;
}

/** The state of an account as its list of holdings shows it. */
export interface BankHoldingsAccount {
  account_id: string;
  currency: string;
  balance: string | null;
  /** Cash and money market positions together; null = the custodian does not state it. */
  available_cash: string | null;
}

export interface BankHoldings {
  accounts: BankHoldingsAccount[];
  holdings: BankHolding[];
}
