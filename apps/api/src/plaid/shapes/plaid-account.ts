import type { AccountRecord } from '../../../../../domain/accounts/present-account.js';
import { plaidAccountType, type PlaidType } from '../../../../../domain/plaid/account-type.js';
import { currencyCodes, type CurrencyCodes } from './currency.js';
import { moneyNumberOrNull } from './money-number.js';

export interface PlaidAccount {
  account_id: string;
  balances: CurrencyCodes & {
    available: number | null;
    current: number | null;
    limit: number | null;
  };
  mask: string | null;
  name: string;
  official_name: string | null;
  type: PlaidType;
  subtype: string | null;
}

/** Source: plaid-compat 3.3. */
export function presentAccount({
  accountId,
  accountType,
  name,
  mask,
  currency,
  available,
  current,
  limit,
}: AccountRecord): PlaidAccount {
  return {
    account_id: accountId,
    balances: {
      available: moneyNumberOrNull(available),
      current: moneyNumberOrNull(current),
      limit: moneyNumberOrNull(limit),
      ...currencyCodes(currency),
    },
    mask: mask !== null && mask.length >= 2 && mask.length <= 4 ? mask : null,
    name,
    official_name: null,
    ...plaidAccountType(accountType),
  };
}
