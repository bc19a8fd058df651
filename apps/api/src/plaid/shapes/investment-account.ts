import { Decimal } from 'decimal.js';
import type { AccountRecord } from '../../../../../domain/accounts/present-account.js';
import { moneyNumber } from './money-number.js';
import { presentAccount, type PlaidAccount } from './plaid-account.js';
import type { StoredHoldingsAccount } from './stored-investments.js';

interface InvestmentAccount extends PlaidAccount {
  /** Typed clients of Plaid refuse an account without `margin_loan_amount`; no source states one. */
  balances: PlaidAccount['balances'] & { margin_loan_amount: null };
}

/** Source: plaid-compat 6.9, 6.10. */
export function presentInvestmentAccount(account: AccountRecord): InvestmentAccount {
  const shown = presentAccount(account);
  return { ...shown, balances: { ...shown.balances, margin_loan_amount: null } };
}

/**
 * An account whose available balance is its cash, holdings that are cash included, unless the source
 * itself reports one. Source: plaid-compat 6.9.
 */
export function presentHoldingsAccount(
  account: AccountRecord,
  listed: StoredHoldingsAccount | undefined,
): InvestmentAccount {
  const shown = presentInvestmentAccount(account);
  return shown.balances.available !== null || listed?.currency !== account.currency
    ? shown
    : { ...shown, balances: { ...shown.balances, available: cashOf(listed) } };
}

/** Null if a part is unknown. */
function cashOf({ cash, in_cash_holdings: held }: StoredHoldingsAccount): number | null {
  return cash.amount === null || held === null
    ? null
    : moneyNumber(new Decimal(cash.amount).plus(held));
}
