import type { VendorName } from '../vendors.js';

export const ACCOUNT_TYPES = ['checking', 'savings', 'credit_card', 'loan', 'brokerage'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** The fields of a row that only some payments have, in the words of no vendor. */
export interface RowDetails {
  /** ISO 18245. */
  mcc?: string;
  /** The sub-family of an ISO 20022 bank transaction code, after `PMNT`: `RCDT-SALA`. */
  bankCode?: string;
  /** The other side of a transfer; `merchant` is its name. */
  party?: { iban: string; bic: string; isCompany: boolean };
  /** The text of the payer. */
  memo?: string;
  /** The structured reference of the payee. */
  reference?: string;
  checkNumber?: string;
  /** Before the conversion; `rate` is the price of one unit of `currency`. */
  original?: { amount: string; currency: string; rate: string };
}

/** One entry of an account. */
export interface Row {
  /** The basis of the vendors' ids; scripts replace it. */
  id: string;
  /** YYYY-MM-DD in UTC: the day of the purchase, also of a posted row. */
  day: string;
  /** ISO 8601 in UTC. */
  instant: string;
  /** Signed decimal text; positive = money in, for every type of account. */
  amount: string;
  description: string;
  merchant: string | null;
  details: RowDetails;
  status: 'pending' | 'posted';
  /** The balance after this row; null while pending. */
  runningBalance: string | null;
  /** True: a vendor whose format allows it omits the id of this row. */
  isAnonymous: boolean;
}

/** A position of a brokerage account, or one lot of it. Decimal texts; null = the broker does not know it. */
export interface Position {
  id: string;
  symbol: string | null;
  name: string;
  units: string;
  value: string;
  /** The total paid, and the same for one unit. */
  paid: string | null;
  pricePaid: string | null;
}

/**
 * How a broker states the cost of a position: the total or the price of a unit beside the price paid, or the total
 * alone.
 */
export type CostStyle = 'total' | 'per_unit' | 'no_price_paid';

export interface Balances {
  /** Signed decimal text of the posted balance; negative = the customer owes. */
  current: string;
  /** The spendable amount; null for a loan. */
  available: string | null;
  /** Of a credit card. */
  limit: string | null;
}

export interface Account {
  id: string;
  name: string;
  type: AccountType;
  /** ISO 4217, or an address for a unit that is not money (miles). */
  currency: string;
  /** The last digits that statements print. */
  mask: string;
  accountNumber: string;
  /** US banks only. */
  routingNumber: string | null;
  /** European banks only, and not for cards. */
  iban: string | null;
  balances: Balances;
  /** The balance before the oldest row. */
  openingBalance: string;
  /** The bank returns no data of this account. */
  isDown: boolean;
  /** Oldest first. */
  rows: Row[];
  /** Of a brokerage account. */
  positions: Position[];
  costStyle: CostStyle;
}

export interface Address {
  street: string;
  city: string;
  region: string | null;
  postalCode: string;
  country: string;
}

/** The facts of a bank, the same for all its customers. */
export interface Bank {
  id: string;
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  currency: string;
  /** ISO 9362; null for US banks. */
  bic: string | null;
  routingNumber: string | null;
  domain: string;
  /** The vendors that can read it. */
  vendors: VendorName[];
  isDown: boolean;
}

/** The accounts of one customer at one bank. */
export interface Connection {
  id: string;
  bankId: string;
  accounts: Account[];
}

export interface Customer {
  id: string;
  name: string;
  email: string;
  phone: string;
  address: Address;
  connections: Connection[];
}

/** All data of the vendors. */
export interface LedgerData {
  banks: Bank[];
  customers: Customer[];
}
