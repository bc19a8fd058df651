import { NO_NUMBERS } from '../../../domain/accounts/account-numbers.js';
import type { ProviderAccess, ProviderAccountNumbers } from '../../contract/provider.js';
import type { DataParts } from './account-calls.js';
import { readSession } from './read-session.js';

/**
 * The IBANs of the login, as long as the session lasts: the id of an account is a digest of its
 * number, so they cannot change, and another request to the bank would use a counted call. Cards
 * and accounts with only a national number are omitted.
 */
export async function fetchAccountNumbers(
  { callApi }: Pick<DataParts, 'callApi'>,
  access: ProviderAccess,
): Promise<ProviderAccountNumbers[]> {
  const { accounts } = await readSession(callApi, access);
  return accounts.flatMap(({ id, iban, bic }) =>
    iban === null || bic === null
      ? []
      : [{ providerAccountId: id, numbers: { ...NO_NUMBERS, international: [{ iban, bic }] } }],
  );
}
