import type { AccountListing, ProviderAccess, ProviderAccount } from '../../provider.js';
import { malformed } from '../../http/remote-object.js';
import { noAccounts, noMoney } from '../client/failure-table.js';
import { unreportedAccounts, type ListedAccount } from './account-set.js';
import { accountTypeOf, maskOf } from './account-type.js';
import { readAccounts, type DataParts } from './read-accounts.js';

const MAX_NAME = 200;
/** Year 2100: a timestamp in milliseconds would be beyond it. */
export const MAX_EPOCH_SECONDS = 4_102_444_800;

/** The accounts of all banks behind the access URL. Makes one request. */
export async function fetchAccounts(
  parts: DataParts,
  access: ProviderAccess,
): Promise<AccountListing> {
  const set = await readAccounts(parts, access, { 'balances-only': '1' });
  if (set.accounts.length === 0) throw noAccounts();
  const accounts = set.accounts.map(toAccount).filter((account) => account !== null);
  if (accounts.length === 0) throw noMoney();
  const reported = new Set(accounts.map(({ providerAccountId }) => providerAccountId));
  const unreported = unreportedAccounts(set, access.knownAccounts ?? []);
  return { accounts, unreported: unreported.filter((id) => !reported.has(id)) };
}

/** @returns null for an account that is not kept in money, as miles */
export function toAccount({ id, remote }: ListedAccount): ProviderAccount | null {
  const currency = currencyOf(remote);
  if (currency === null) return null;
  const name = remote.text('name', { max: 1_000 }).slice(0, MAX_NAME);
  const accountType = accountTypeOf(name);
  const balance = remote.decimal('balance');
  const balanceAt = remote.wholeNumber('balance-date', { max: MAX_EPOCH_SECONDS });
  return {
    providerAccountId: id,
    accountType,
    name,
    mask: maskOf(name),
    currency,
    available: remote.optional('available-balance', (it) => it.decimal('available-balance')),
    // What is owed is negative there, and positive here.
    current: accountType.startsWith('liability.') && !balance.isZero() ? balance.neg() : balance,
    limit: null,
    balanceDate: balanceAt === 0 ? null : new Date(balanceAt * 1_000),
  };
}

/** @returns null for a custom currency, which is an address */
export function currencyOf(remote: ListedAccount['remote']): string | null {
  const currency = remote.text('currency', { max: 2_048 });
  if (/^[A-Z]{3}$/.test(currency)) return currency;
  if (/^https?:\/\//.test(currency)) return null;
  throw malformed('account.currency is neither a currency code nor an address');
}
