import { isRevolving, liabilityKindOf } from '../../../domain/liabilities/liability-kind.js';
import { UNSTATED_DEBT } from '../../../domain/liabilities/liability.js';
import type { ProviderAccess, ProviderLiability } from '../../contract/provider.js';
import type { DataParts } from './account-calls.js';
import { readSession } from './read-session.js';

/**
 * The debts of the cards, as long as the session lasts. All that banks state of them is their limit
 * and balances, which the fetch of accounts has stored: another request to the bank would use a
 * counted call.
 */
export async function fetchLiabilities(
  { callApi }: Pick<DataParts, 'callApi'>,
  access: ProviderAccess,
): Promise<ProviderLiability[]> {
  const { accounts } = await readSession(callApi, access);
  return accounts.flatMap(({ id }) => {
    const facts = access.accountFacts?.get(id);
    const kind = facts && liabilityKindOf(facts.accountType);
    if (!kind || !isRevolving(kind)) return [];
    const { currency, current: balance, available, limit } = facts;
    return [{ ...UNSTATED_DEBT, providerAccountId: id, kind, currency, balance, available, limit }];
  });
}
