import { renderAccount, type AccountRecord } from '../../../../domain/accounts/present-account.js';
import { mapInTurns } from '../http/in-turns.js';

/** The members of a JSON list of accounts. */
export async function renderAccounts(accounts: readonly AccountRecord[]): Promise<string> {
  return (await mapInTurns(accounts, (account) => renderAccount(account))).join(',');
}
