import { settleType } from '../../../domain/accounts/settle-type.js';
import type {
  FetchedHolding,
  FetchedHoldingsAccount,
} from '../../../domain/investments/fetched-holding.js';
import type { ProviderAccess, ProviderHoldings } from '../../contract/provider.js';
import { readEach, readPart } from '../../http/read-scope.js';
import { unreportedAccounts, type ListedAccount } from './account-set.js';
import { accountTypeOf, namedType } from './account-type.js';
import { currencyOf } from './fetch-accounts.js';
import { readAccounts, type DataParts } from './read-accounts.js';
import { toHolding } from './to-holding.js';

/** Holdings of one account in one response. */
const MAX_HOLDINGS = 5_000;

interface AccountHoldings {
  account: FetchedHoldingsAccount;
  holdings: FetchedHolding[];
}

/**
 * The holdings of all banks behind the access URL. Makes one request, and a second one if a response
 * without rows lists no holding: servers may leave holdings out together with the rows.
 */
export async function fetchHoldings(
  parts: DataParts,
  access: ProviderAccess,
): Promise<ProviderHoldings> {
  const short = await readAccounts(parts, access, { 'balances-only': '1' });
  const set = short.accounts.some(statesHoldings)
    ? short
    : await readAccounts(parts, access, {
        'start-date': String(Math.floor(parts.now().getTime() / 1_000)),
      });
  const doubtful = new Set(unreportedAccounts(set, access.knownAccounts ?? []));
  const read = set.accounts.flatMap((account) =>
    mayHold(account, access)
      ? (readHoldings(account, { isDoubtful: doubtful.has(account.id) }) ?? [])
      : [],
  );
  for (const account of doubtful)
    if (!isBankAccount(access.accountFacts?.get(account)?.accountType ?? 'unknown'))
      access.note({
        scope: 'account',
        account,
        resource: 'account',
        field: 'holdings',
        reason: 'refused',
      });
  return {
    accounts: read.map(({ account }) => account),
    holdings: read.flatMap(({ holdings }) => holdings),
  };
}

/** @returns null for an account without a list, or of which an empty one proves nothing */
function readHoldings(
  listed: ListedAccount,
  { isDoubtful }: { isDoubtful: boolean },
): AccountHoldings | null {
  const { id, remote, scope } = listed;
  if (remote.any('holdings') === undefined) return null;
  const found = readPart({ ...scope, scope: 'account' }, () => ({
    currency: currencyOf(remote),
    items: remote.list('holdings', MAX_HOLDINGS),
  }));
  if (found === null || found.currency === null) return null;
  const { currency, items } = found;
  if (items.length === 0 && isDoubtful) return null;
  return {
    account: {
      providerAccountId: id,
      currency,
      // Servers also send an empty list for an account whose holdings they do not read: its balance
      // is not evidence of cash.
      balance: statesHoldings(listed) ? remote.expected((it) => it.decimal('balance')) : null,
      reportedCash: null,
    },
    holdings: readEach(items, { ...scope, scope: 'row' }, (item) =>
      toHolding(item, { accountId: id, currency, scope }),
    ),
  };
}

/** Another Tributary marks the accounts whose holdings it knows (native-api 3.11). */
function statesHoldings({ remote }: ListedAccount): boolean {
  const [holdings, extra] = [remote.any('holdings'), remote.any('extra')];
  if (Array.isArray(holdings) && holdings.length > 0) return true;
  return typeof extra === 'object' && extra !== null && 'holdings_as_of' in extra;
}

/** Servers list no holdings, too, for accounts that cannot have any. */
function mayHold(account: ListedAccount, { accountFacts }: ProviderAccess): boolean {
  const { id, remote } = account;
  const type = settleType(
    { stated: namedType(remote), guessed: accountTypeOf(remote.plain('name', 200) ?? '') },
    accountFacts?.get(id)?.accountType ?? null,
  );
  return statesHoldings(account) || !isBankAccount(type);
}

const isBankAccount = (type: string): boolean => /^(depository|liability)\./.test(type);
