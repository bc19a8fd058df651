import type { Decimal } from 'decimal.js';
import type { AccountFacts, FactsByAccount } from '../../../domain/accounts/account-facts.js';
import type { AccountType } from '../../../domain/accounts/account-types.js';
import { settleType } from '../../../domain/accounts/settle-type.js';
import type { AccountListing, ProviderAccess, ProviderAccount } from '../../contract/provider.js';
import { readEach, Unreadable } from '../../http/read-scope.js';
import { noAccounts, noMoney } from '../client/failure-table.js';
import { unreportedAccounts, type AccountSet, type ListedAccount } from './account-set.js';
import { accountTypeOf, maskOf, namedType } from './account-type.js';
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
  const read = readAccountsOf(set, access.accountFacts);
  const accounts = read.filter((account) => account !== null);
  if (accounts.length === 0 && read.length > 0) throw noMoney();
  const reported = new Set(accounts.map(({ providerAccountId }) => providerAccountId));
  const unreported = unreportedAccounts(set, access.knownAccounts ?? []);
  return { accounts, unreported: unreported.filter((id) => !reported.has(id)) };
}

/** Null for an account that is not kept in money. An unreadable one is noted by its name. */
function readAccountsOf(
  { accounts }: AccountSet,
  facts?: FactsByAccount,
): (ProviderAccount | null)[] {
  return accounts.flatMap((account) => {
    const accountName = readName(account);
    return readEach([account], { ...account.scope, scope: 'account', accountName }, (it) =>
      toAccount(it, accountName, facts?.get(it.id)),
    );
  });
}

const readName = ({ remote }: ListedAccount): string | null => remote.plain('name', MAX_NAME);

/** @returns null for an account that is not kept in money, such as miles @throws Unreadable */
export function toAccount(
  { id, remote }: ListedAccount,
  name: string | null,
  known?: AccountFacts,
): ProviderAccount | null {
  const currency = currencyOf(remote);
  if (currency === null) return null;
  const named = namedType(remote);
  const accountType = settleType(
    { stated: named, guessed: accountTypeOf(name ?? '') },
    known?.accountType ?? null,
  );
  const amount = (field: string) => remote.maybe(field, (it) => it.decimal(field));
  const balance = remote.expected((it) => it.decimal('balance'));
  const balanceAt = remote.maybe('balance-date', (it) =>
    it.wholeNumber('balance-date', { max: MAX_EPOCH_SECONDS }),
  );
  return {
    providerAccountId: id,
    accountType,
    name: name ?? 'Account',
    mask: maskOf(name ?? ''),
    currency,
    available: amount('available-balance'),
    current: balance === null ? null : owedOrHeld(balance, accountType, named !== null),
    limit: null,
    balanceDate: balanceAt === null || balanceAt === 0 ? null : new Date(balanceAt * 1_000),
  };
}

/**
 * Debts are negative in SimpleFIN, and positive in Tributary; for mortgages, servers that do not know
 * their types use either sign.
 */
function owedOrHeld(balance: Decimal, accountType: AccountType, isNamed: boolean): Decimal {
  if (accountType === 'liability.mortgage' && !isNamed) return balance.abs();
  return accountType.startsWith('liability.') && !balance.isZero() ? balance.neg() : balance;
}

/** @returns null for a custom currency, which is an address @throws Unreadable */
export function currencyOf(remote: ListedAccount['remote']): string | null {
  const currency = remote.text('currency', { max: 2_048 });
  if (/^[A-Za-z]{3}$/.test(currency)) return currency.toUpperCase();
  if (/^https?:\/\//.test(currency)) return null;
  throw new Unreadable('account', 'currency', 'impossible', 'a currency code or an address');
}
