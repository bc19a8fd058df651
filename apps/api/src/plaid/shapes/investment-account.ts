import { Decimal } from 'decimal.js';
import type { AccountRecord } from '../../../../../domain/accounts/present-account.js';
import { moneyNumber } from './money-number.js';
import { presentAccount, type PlaidAccount } from './plaid-account.js';
import type { StoredHoldingsAccount } from './stored-investments.js';

/**
 * An account whose available balance is its cash, holdings that are cash included, unless the source
 * itself reports one. Source: plaid-compat 6.9.
 */
export function presentInvestmentAccount(
  account: AccountRecord,
  listed: StoredHoldingsAccount | undefined,
): PlaidAccount {
  const shown = presentAccount(account);
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
