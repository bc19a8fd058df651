import type { Decimal } from 'decimal.js';
import type { SecurityType } from './security-types.js';

/** A security as a source describes it. Every unknown value is null. */
export interface FetchedSecurity {
  /**
   * The source's own id of the security, and the type of that id in upper case: one of the
   * institution's own (`VALOR`, `WKN`, `CMC`, `INSTITUTION`).
   */
  ownId: { type: string; value: string } | null;
  name: string | null;
  symbol: string | null;
  /** ISO 10383 market identifier code, as far as the source states one. */
  exchange: string | null;
  /** With valid check digits; an invalid identifier is null. */
  isin: string | null;
  cusip: string | null;
  sedol: string | null;
  figi: string | null;
  type: SecurityType | null;
  /** One of Plaid's subtypes with underscores; an open list. */
  subtype: string | null;
  /** The main currency: never a minor unit such as `GBX`. */
  currency: string | null;
  isCashEquivalent: boolean | null;
  option: FetchedOption | null;
  fixedIncome: FetchedFixedIncome | null;
}

export interface FetchedOption {
  underlyingSymbol: string;
  kind: 'put' | 'call';
  /** `YYYY-MM-DD`. */
  expiresOn: string;
  /** Currency per unit of the underlying security. */
  strikePrice: Decimal;
  /** Units of the underlying security per contract; null = the source does not state it. */
  contractSize: Decimal | null;
}

export interface FetchedFixedIncome {
  /** Of one unit, in currency. */
  faceValue: Decimal | null;
  /** Percent per year. */
  couponRate: Decimal | null;
  /** Percent per year. */
  yieldToMaturity: Decimal | null;
  maturesOn: string | null;
  issuedOn: string | null;
  /** The part of the face value that is not yet repaid, up to 1; missing or null = unknown. */
  amortizationFactor?: Decimal | null;
}
