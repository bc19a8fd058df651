import { Decimal } from 'decimal.js';
import type { FetchedFixedIncome, FetchedOption, FetchedSecurity } from './fetched-security.js';

/** A known security with the additions and changes of a later description: a value that it lacks stays known. */
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

/** As text, decimals exactly; equal for equal securities, whatever the order of their members. */
export function encodeSecurity(security: FetchedSecurity): string {
  const { option, fixedIncome } = security;
  return JSON.stringify({
    ...updatedSecurity(security, security),
    option: option === null ? null : inOrder(option, OPTION_MEMBERS),
    fixedIncome: fixedIncome === null ? null : inOrder(fixedIncome, FIXED_INCOME_MEMBERS),
  });
}

const OPTION_MEMBERS: readonly (keyof FetchedOption)[] = [
  'underlyingSymbol',
  'kind',
  'expiresOn',
  'strikePrice',
  'contractSize',
];
const FIXED_INCOME_MEMBERS: readonly (keyof FetchedFixedIncome)[] = [
  'faceValue',
  'couponRate',
  'yieldToMaturity',
  'maturesOn',
  'issuedOn',
  'amortizationFactor',
];

function inOrder<Whole extends object>(whole: Whole, members: readonly (keyof Whole)[]) {
  return Object.fromEntries(members.map((member) => [member, whole[member] ?? null]));
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
            amortizationFactor: decimalOrNull(fixedIncome.amortizationFactor ?? null),
          },
  };
}

const decimalOrNull = (value: Decimal.Value | null) => (value === null ? null : new Decimal(value));
