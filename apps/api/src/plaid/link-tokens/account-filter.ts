import { ACCOUNT_TYPES, type AccountType } from '../../../../../domain/accounts/account-types.js';
import { plaidAccountType } from '../../../../../domain/plaid/account-type.js';

const ANY = 'all';

/** Per type, the subtypes that may be offered. Source: plaid-compat 6.1, `account_filters`. */
export type AccountFilters = Readonly<
  Record<string, { account_subtypes: readonly string[] } | undefined>
>;

/** The native account types that the filters allow; a type without a filter is not allowed. */
export function accountTypesOf(filters: AccountFilters): AccountType[] {
  return ACCOUNT_TYPES.filter((accountType) => {
    const { type, subtype } = plaidAccountType(accountType);
    const subtypes = filters[type]?.account_subtypes ?? [];
    return subtypes.includes(ANY) || (subtype !== null && subtypes.includes(subtype));
  });
}
