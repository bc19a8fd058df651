import type { Decimal } from 'decimal.js';
import { Exact } from '../accounts/figures.js';
import type { CustomSecurity } from '../customers/custom-portfolio.js';
import type { BankSecurity } from './security.js';

const KIND_OF = {
  cash: 'MONEY_MARKET',
  cryptocurrency: 'COIN',
  derivative: 'OPTION',
  equity: 'SHARE',
  etf: 'ETF',
  fixed_income: 'BOND',
  mutual_fund: 'FUND',
} as const;

/** The security in the words of the bank, which has no id of its own for it. */
export function customSecurity(
  { type, currency, is_cash_equivalent, option, fixed_income, ...names }: CustomSecurity,
  accountCurrency: string,
): BankSecurity {
  return {
    ...names,
    security_id: null,
    kind: type === null ? null : KIND_OF[type],
    currency: currency ?? accountCurrency,
    cash_equivalent: is_cash_equivalent,
    option: option && {
      underlying_symbol: option.underlying_symbol,
      right: option.kind === 'put' ? 'PUT' : 'CALL',
      expires_on: option.expires_on,
      strike: option.strike_price,
      contract_size: option.contract_size,
    },
    bond: fixed_income && {
      face_value: fixed_income.face_value,
      coupon: fixed_income.coupon_rate,
      yield: fixed_income.yield_to_maturity,
      matures_on: fixed_income.matures_on,
      issued_on: fixed_income.issued_on,
    },
  };
}

/** The value of a quantity is quantity × price × this. */
export function customPriceFactor({ type, option }: CustomSecurity): Decimal {
  if (type === 'fixed_income') return new Exact('0.01');
  if (type === 'derivative') return new Exact(option?.contract_size ?? 100);
  return new Exact(1);
}
