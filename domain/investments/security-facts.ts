import { Decimal } from 'decimal.js';
import type { FetchedSecurity } from './fetched-security.js';

/** What a later description adds or changes: a value that it lacks stays known. */
export function updatedSecurity(known: FetchedSecurity, latest: FetchedSecurity): FetchedSecurity {
  return {
    ownId: latest.ownId ?? known.ownId,
    name: latest.name ?? known.name,
    symbol: latest.symbol ?? known.symbol,
    exchange: latest.exchange ?? known.exchange,
    isin: latest.isin ?? known.isin,
    cusip: latest.cusip ?? known.cusip,
    sedol: latest.sedol ?? known.sedol,
    figi: latest.figi ?? known.figi,
    type: latest.type ?? known.type,
    subtype: latest.subtype ?? known.subtype,
    currency: latest.currency ?? known.currency,
    isCashEquivalent: latest.isCashEquivalent ?? known.isCashEquivalent,
    option: latest.option ?? known.option,
    fixedIncome: latest.fixedIncome ?? known.fixedIncome,
  };
}

/** As text, decimals exactly. */
export function encodeSecurity(security: FetchedSecurity): string {
  return JSON.stringify(security);
}

/** Reads what `encodeSecurity` wrote. */
export function decodeSecurity(text: string): FetchedSecurity {
  const { option, fixedIncome, ...security } = JSON.parse(text) as FetchedSecurity;
  return {
    ...security,
    option:
      option === null
        ? null
        : {
            ...option,
            strikePrice: new Decimal(option.strikePrice),
            contractSize: decimalOrNull(option.contractSize),
          },
    fixedIncome:
      fixedIncome === null
        ? null
        : {
            ...fixedIncome,
            faceValue: decimalOrNull(fixedIncome.faceValue),
            couponRate: decimalOrNull(fixedIncome.couponRate),
            yieldToMaturity: decimalOrNull(fixedIncome.yieldToMaturity),
          },
  };
}

const decimalOrNull = (value: Decimal.Value | null) => (value === null ? null : new Decimal(value));
