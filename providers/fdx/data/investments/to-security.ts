import type { Decimal } from 'decimal.js';
import type {
  FetchedFixedIncome,
  FetchedOption,
  FetchedSecurity,
} from '../../../../domain/investments/fetched-security.js';
import { parseOptionSymbol } from '../../../../domain/investments/option-symbol.js';
import type { RemoteObject } from '../../../http/remote-object.js';
import {
  optionalDay,
  optionalFigure,
  optionalObject,
  optionalSize,
  optionalWord,
} from '../optional-fields.js';
import { securityIdentifiers } from './stated-identifiers.js';
import { isCashHolding, kindOf, kindOfHolding } from './security-kinds.js';
import type { StatedUnit } from './stated-unit.js';

const MAX_NAME = 200;
const MAX_SYMBOL = 50;

/** The security of a holding. */
export function securityOfHolding(holding: RemoteObject, unit: StatedUnit): FetchedSecurity {
  const { type, subtype } = kindOfHolding(holding);
  const symbol = optionalWord(holding, 'symbol', MAX_SYMBOL);
  const option = type === 'derivative' ? optionOf(holding, symbol, unit) : null;
  return {
    ...securityIdentifiers(holding),
    name: holding.plain('holdingName', MAX_NAME) ?? holding.plain('description', MAX_NAME),
    // Many options of one share would have its symbol.
    symbol: option !== null && option.underlyingSymbol === symbol ? null : symbol,
    exchange: null,
    type,
    subtype,
    currency: unit.currency,
    isCashEquivalent: isCashHolding(holding),
    option,
    fixedIncome: type === 'fixed_income' ? fixedIncomeOf(holding, unit) : null,
  };
}

/**
 * The security of an investment transaction.
 * @returns null if it names none
 */
export function securityOfTransaction(row: RemoteObject, currency: string): FetchedSecurity | null {
  const identifiers = securityIdentifiers(row);
  const symbol = optionalWord(row, 'symbol', MAX_SYMBOL);
  if (symbol === null && Object.values(identifiers).every((value) => value === null)) return null;
  const { type, subtype } = kindOf(optionalWord(row, 'securityType'));
  return {
    ...identifiers,
    name: null,
    symbol,
    exchange: null,
    type,
    subtype,
    currency,
    isCashEquivalent: type === 'cash' ? true : null,
    option: type === 'derivative' ? parseOptionSymbol(symbol ?? '') : null,
    fixedIncome: null,
  };
}

const OPTION_KINDS: Readonly<Record<string, FetchedOption['kind']>> = { PUT: 'put', CALL: 'call' };

/** The symbol states the terms in full, or it is that of the underlying share. */
function optionOf(
  holding: RemoteObject,
  symbol: string | null,
  { inMainUnit }: StatedUnit,
): FetchedOption | null {
  const terms = optionalObject(holding, 'optionSecurity');
  const contractSize = terms && optionalSize(terms, 'sharesPerContract');
  const parsed = parseOptionSymbol(symbol ?? '');
  if (parsed !== null) return { ...parsed, contractSize };
  const kind = OPTION_KINDS[(terms && optionalWord(terms, 'optionType')) ?? ''];
  const expiresOn = terms && optionalDay(terms, 'expireDate');
  const strikePrice = inMainUnit(terms && optionalSize(terms, 'strikePrice'));
  if (symbol === null || kind === undefined || expiresOn === null || strikePrice === null)
    return null;
  return { underlyingSymbol: symbol, kind, expiresOn, strikePrice, contractSize };
}

function fixedIncomeOf(holding: RemoteObject, { inMainUnit }: StatedUnit): FetchedFixedIncome {
  const debt = optionalObject(holding, 'debtSecurity');
  const figure = (field: string): Decimal | null => debt && optionalFigure(debt, field);
  return {
    faceValue: inMainUnit(debt && optionalSize(debt, 'parValue')),
    couponRate: figure('couponRate') ?? optionalFigure(holding, 'rate'),
    yieldToMaturity: figure('yieldToMaturity'),
    maturesOn:
      (debt && optionalDay(debt, 'bondMaturityDate')) ?? optionalDay(holding, 'expirationDate'),
    issuedOn: null,
  };
}
