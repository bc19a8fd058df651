import { jsonNumber, jsonNumberOrNull } from '../api/money.js';
import type { FetchedFixedIncome, FetchedOption, FetchedSecurity } from './fetched-security.js';

/** The public JSON of a Security. Source: native-api 4.14. */
export function renderSecurity(securityId: string, security: FetchedSecurity): string {
  return (
    `{"security_id":"${securityId}","name":${text(security.name)},"symbol":${text(security.symbol)},` +
    `"exchange":${text(security.exchange)},"isin":${text(security.isin)},"cusip":${text(security.cusip)},` +
    `"sedol":${text(security.sedol)},"figi":${text(security.figi)},"type":${text(security.type)},` +
    `"subtype":${text(security.subtype)},"currency":${text(security.currency)},` +
    `"is_cash_equivalent":${security.isCashEquivalent},"option":${renderOption(security.option)},` +
    `"fixed_income":${renderFixedIncome(security.fixedIncome)}}`
  );
}

function renderOption(option: FetchedOption | null): string {
  if (option === null) return 'null';
  const { underlyingSymbol, kind, expiresOn, strikePrice, contractSize } = option;
  return (
    `{"underlying_symbol":${text(underlyingSymbol)},"kind":"${kind}","expires_on":"${expiresOn}",` +
    `"strike_price":"${jsonNumber(strikePrice)}",` +
    `"contract_size":${contractSize === null ? 'null' : `"${jsonNumber(contractSize)}"`}}`
  );
}

function renderFixedIncome(bond: FetchedFixedIncome | null): string {
  if (bond === null) return 'null';
  return (
    `{"face_value":${jsonNumberOrNull(bond.faceValue)},"coupon_rate":${jsonNumberOrNull(bond.couponRate)},` +
    `"yield_to_maturity":${jsonNumberOrNull(bond.yieldToMaturity)},"matures_on":${text(bond.maturesOn)},` +
    `"issued_on":${text(bond.issuedOn)}}`
  );
}

const text = (value: string | null): string => JSON.stringify(value);
