// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import type { FetchedSecurity } from '../../../../domain/investments/fetched-security.js';
import type { RemoteObject } from '../../../http/remote-object.js';
import { optionalWord } from '../optional-fields.js';

type Kind = Pick<FetchedSecurity, 'type' | 'subtype'>;

/** `HoldingType` of holdings and `SecurityType` of transactions in the published schemas of FDX 5 and 6. */
const KINDS: Readonly<Record<string, Kind>> = {
  STOCK: { type: 'equity', subtype: null },
  BOND: { type: 'fixed_income', subtype: 'bond' },
  DEBT: { type: 'fixed_income', subtype: 'bond' },
  CD: { type: 'fixed_income', subtype: null },
  MUTUALFUND: { type: 'mutual_fund', subtype: 'mutual_fund' },
  OPTION: { type: 'derivative', subtype: 'option' },
  DIGITALASSET: { type: 'cryptocurrency', subtype: 'cryptocurrency' },
  SWEEP: { type: 'cash', subtype: null },
  ANNUITY: { type: 'other', subtype: null },
  OTHER: { type: 'other', subtype: null },
};

/** `HoldingSubType`. */
const CASH_SUBTYPES: Readonly<Record<string, Kind>> = {
  CASH: { type: 'cash', subtype: 'cash' },
  MONEYMARKET: { type: 'cash', subtype: null },
};

/** The part of a holding that only a security of this kind has. */
const KIND_OF_PART: Readonly<Record<string, string>> = {
  stockSecurity: 'STOCK',
  debtSecurity: 'DEBT',
  mutualFundSecurity: 'MUTUALFUND',
  optionSecurity: 'OPTION',
  sweepSecurity: 'SWEEP',
};

const STOCK_SUBTYPES: Readonly<Record<string, string>> = {
  COMMON: 'common_stock',
  PREFERRED: 'preferred_equity',
  CONVERTIBLE: 'convertible_equity',
};

/** The kind of a holding's security; a type that banks invent is `other`, and a missing one null. */
export function kindOfHolding(holding: RemoteObject): Kind {
  const [part] = Object.keys(KIND_OF_PART).filter((name) => hasPart(holding, name));
  const stated = kindOf(optionalWord(holding, 'holdingType') ?? KIND_OF_PART[part ?? ''] ?? null);
  const cash = rowOf(CASH_SUBTYPES, optionalWord(holding, 'holdingSubType'));
  if (cash !== null && (stated.type === null || stated.type === 'other')) return cash;
  return { type: stated.type, subtype: narrowerSubtype(holding) ?? stated.subtype };
}

/** @param word as sent; null = none */
export function kindOf(word: string | null): Kind {
  if (word === null) return { type: null, subtype: null };
  return rowOf(KINDS, word) ?? { type: 'other', subtype: null };
}

/** True for a holding that is money of its account; null = it cannot be determined. */
export function isCashHolding(holding: RemoteObject): boolean | null {
  const isCash =
    rowOf(CASH_SUBTYPES, optionalWord(holding, 'holdingSubType')) !== null ||
    hasPart(holding, 'sweepSecurity');
  return isCash || holding.maybe('cashAccount', (it) => it.boolean('cashAccount'));
}

function narrowerSubtype(holding: RemoteObject): string | null {
  const stock = holding.maybe('stockSecurity', (it) => it.object('stockSecurity'));
  const debt = holding.maybe('debtSecurity', (it) => it.object('debtSecurity'));
  if (debt !== null && optionalWord(debt, 'debtClass') === 'MUNICIPAL') return 'municipal_bond';
  return stock && rowOf(STOCK_SUBTYPES, optionalWord(stock, 'stockType'));
}

const hasPart = (holding: RemoteObject, name: string): boolean =>
  (holding.any(name) ?? null) !== null;

function rowOf<T>(table: Readonly<Record<string, T>>, word: string | null): T | null {
  return word !== null && Object.hasOwn(table, word) ? (table[word] ?? null) : null;
}
