import type { AccountRecord } from '../../../../../domain/accounts/present-account.js';
import { PlaidError } from '../errors/plaid-error.js';

/** The accounts with these ids, or all without ids. @throws PlaidError for an unknown id. Source: plaid-compat 6 */
export function chosenAccounts(
  accounts: readonly AccountRecord[],
  ids: readonly string[] | undefined,
): readonly AccountRecord[] {
  if (ids === undefined) return accounts;
  const known = new Set(accounts.map(({ accountId }) => accountId));
  if (ids.some((id) => !known.has(id))) throw new PlaidError('INVALID_ACCOUNT_ID');
  return accounts.filter(({ accountId }) => ids.includes(accountId));
}
