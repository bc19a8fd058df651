/** The bank's codes for kinds of securities. */
export type SecurityKind = 'SHARE' | 'ETF' | 'FUND' | 'BOND' | 'OPTION' | 'COIN' | 'MONEY_MARKET';

/** A security in the bank's API. Figures are exact decimals in strings, days `YYYY-MM-DD`. */
export interface BankSecurity {
  /** The bank's own id; null for a fund of an employer's plan, which only its holdings name. */
  security_id: string | null;
  name: string | null;
  symbol: string | null;
  /** ISO 10383. */
  exchange: string | null;
  isin: string | null;
  cusip: string | null;
  sedol: string | null;
  figi: string | null;
  /** Null = not stated. */
  kind: SecurityKind | null;
  /** Of its quotes: an ISO code, or `GBX` for pence. */
  currency: string;
  cash_equivalent: boolean | null;
  option: BankOption | null;
  bond: BankBond | null;
}

export interface BankOption {
  underlying_symbol: string;
  right: 'PUT' | 'CALL';
  expires_on: string;
  strike: string;
  contract_size: string | null;
}

export interface BankBond {
  /** Of one unit. */
  face_value: string | null;
  /** Percent a year. */
  coupon: string | null;
  /** Percent a year. */
  yield: string | null;
  matures_on: string | null;
  issued_on: string | null;
}

/** A security that the bank trades. */
export interface Security {
  key: string;
  shown: BankSecurity;
  /** Its price moves every trading day by up to `step` ticks from `start`; 0 = it never moves. */
  walk: { start: number; step: number; from: number };
  /** Decimals of a tick, in main currency. */
  decimals: number;
  /** The value of a quantity is quantity × price × this. */
  priceFactor: '1' | '100' | '0.01';
  /** A fund is quoted at the value of the day before. */
  isQuotedLate: boolean;
  /** Splits 2:1 in July of even years, and 1:2 in July of odd ones. */
  splits: boolean;
}
