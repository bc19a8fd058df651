import { lacksBalances, settledCurrent } from '../../domain/accounts/settle-balances.js';
import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { SourceFaults } from '../source-faults.js';
import type {
  AccountListing,
  Provider,
  ProviderAccess,
  ProviderAccount,
} from '../../providers/contract/provider.js';

/** More than any real permission has; it bounds every list of the accounts of a link. */
const MAX_ACCOUNTS = 1_000;

/**
 * Reads the accounts of a permission; at least one. An empty list is more likely a fault than the
 * closure of every account, so it closes none. `faults`: the faults that `access.note` collects.
 * @throws ProviderFailure
 */
export async function listAccounts(
  provider: Pick<Provider, 'fetchAccounts'>,
  access: ProviderAccess,
  faults: Pick<SourceFaults, 'incomplete'>,
): Promise<AccountListing> {
  const listing = await provider.fetchAccounts(access);
  if (listing.accounts.length > MAX_ACCOUNTS)
    throw new ProviderFailure('malformed', 'The list of accounts does not end.');
  if (listing.accounts.length > 0)
    return { ...listing, accounts: listing.accounts.map((each) => settleBalances(each, access)) };
  if (faults.incomplete().length > 0)
    throw new ProviderFailure('malformed', 'None of the accounts could be read.');
  throw listing.unreported.length > 0
    ? new ProviderFailure('institution_down', 'The bank currently reports on none of the accounts.')
    : new ProviderFailure('no_accounts', FAILURE_MEANINGS.no_accounts.text);
}

/** An account whose balances are missing keeps those that it had, which is noted. */
function settleBalances(
  account: ProviderAccount,
  { accountFacts, note }: Pick<ProviderAccess, 'accountFacts' | 'note'>,
): ProviderAccount {
  const { providerAccountId: id } = account;
  const settled = { ...account, current: settledCurrent(account) };
  if (lacksBalances(settled, accountFacts?.get(id)))
    note({ scope: 'value', account: id, resource: 'balance', field: '', reason: 'missing' });
  return settled;
}
