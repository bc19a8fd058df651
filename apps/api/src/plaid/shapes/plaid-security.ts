import { currencyCodes } from './currency.js';
import { moneyNumber } from './money-number.js';
import type { StoredSecurity } from './stored-investments.js';

/** `isCash`: a holding of it is money of its account; null = unknown. Source: plaid-compat 6.9. */
export function presentSecurity(security: StoredSecurity, isCash: boolean | null = null) {
  const { currency, option } = security;
  return {
    security_id: security.security_id,
    isin: security.isin,
    cusip: security.cusip,
    sedol: security.sedol,
    figi: security.figi,
    institution_security_id: null,
    institution_id: null,
    proxy_security_id: null,
    name: security.name,
    ticker_symbol: security.symbol,
    is_cash_equivalent: security.is_cash_equivalent ?? isCash,
    type: withBlanks(security.type),
    subtype: withBlanks(security.subtype),
    // Prices here are those of institutions, which belong to holdings.
    close_price: null,
    close_price_as_of: null,
    update_datetime: null,
    ...(currency === null
      ? { iso_currency_code: null, unofficial_currency_code: null }
      : currencyCodes(currency)),
    market_identifier_code: security.exchange,
    sector: null,
    industry: null,
    cfi_code: null,
    option_contract:
      option === null
        ? null
        : {
            contract_type: option.kind,
            expiration_date: option.expires_on,
            strike_price: moneyNumber(option.strike_price),
            underlying_security_ticker: option.underlying_symbol,
          },
    fixed_income: fixedIncome(security),
  };
}

function fixedIncome({ fixed_income: bond }: StoredSecurity) {
  if (bond === null) return null;
  return {
    yield_rate: yieldRate(bond),
    maturity_date: bond.matures_on,
    issue_date: bond.issued_on,
    face_value: bond.face_value,
  };
}

function yieldRate({
  yield_to_maturity: toMaturity,
  coupon_rate: coupon,
}: NonNullable<StoredSecurity['fixed_income']>) {
  if (toMaturity !== null) return { percentage: toMaturity, type: 'yield' };
  return coupon === null ? null : { percentage: coupon, type: 'coupon' };
}

const withBlanks = (name: string | null) => name?.replaceAll('_', ' ') ?? null;
