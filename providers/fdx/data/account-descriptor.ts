import { stringify } from 'lossless-json';
import type { AccountFacts } from '../../../domain/accounts/account-facts.js';
import type { AccountType } from '../../../domain/accounts/account-types.js';
import { settleType } from '../../../domain/accounts/settle-type.js';
import { readEach, readPart, Unreadable } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import { typeEvidence } from './account-types.js';
import type { ReadResource } from './resource-reader.js';
import { noAccounts } from '../failure-table.js';
import type { FdxInstitution } from '../settings.js';
import type { Noting } from './each-account.js';
import { listAll } from './list-pages.js';

/** Per permission. */
const MAX_ACCOUNTS = 1_000;

/** An entry of `/accounts`. */
export interface AccountDescriptor {
  id: string;
  category: string;
  accountType: AccountType;
  name: string;
  mask: string | null;
  currency: string;
  /** The bank returns an error instead of the account's data. */
  hasError: boolean;
}

/** The accounts that the user shares, without closed ones. @throws `no_accounts` */
export async function readDescriptors(
  read: ReadResource,
  institution: Pick<FdxInstitution, 'country'>,
  { note, accountFacts }: Noting,
): Promise<AccountDescriptor[]> {
  const listed = await listAll(read, ['accounts'], 'accounts', { account: null, note });
  const contents = new Map<string, string | undefined>();
  const accounts = readEach(
    listed.slice(0, MAX_ACCOUNTS),
    { scope: 'account', account: null, note },
    (item) => {
      const id = new RemoteObject(item, 'account').text('accountId', { max: 256 });
      const content = stringify(item);
      if (contents.has(id)) {
        // Pages may overlap.
        if (contents.get(id) === content) return null;
        throw new Unreadable('account', 'accountId', 'repeated', 'an id of one account');
      }
      contents.set(id, content);
      return { id, account: new RemoteObject(item, 'account', { account: id, note }), item };
    },
  ).filter((account) => account !== null);
  const open = accounts.filter(
    ({ account }) => account.maybe('status', (it) => it.text('status', { max: 100 })) !== 'CLOSED',
  );
  if (listed.length === 0 || (accounts.length > 0 && open.length === 0)) throw noAccounts();
  return open.flatMap(({ id, account, item }) => {
    const accountName = nameOf(new RemoteObject(item, 'account'));
    const descriptor = readPart({ scope: 'account', account: id, accountName, note }, () =>
      toDescriptor(account, institution, accountFacts?.get(id)),
    );
    return descriptor ?? [];
  });
}

const nameOf = (account: RemoteObject): string | null =>
  account.plain('nickname', 200) ?? account.plain('productName', 200);

export function toDescriptor(
  account: RemoteObject,
  { country }: Pick<FdxInstitution, 'country'>,
  known?: AccountFacts,
): AccountDescriptor {
  const id = account.text('accountId', { max: 256 });
  const display = account.plain('accountNumberDisplay', 200);
  const word = (field: string) => account.maybe(field, (it) => it.text(field, { max: 100 }));
  const category = word('accountCategory') ?? '';
  return {
    id,
    category,
    accountType: settleType(
      typeEvidence(category, word('accountType')),
      known?.accountType ?? null,
    ),
    name: nameOf(account) ?? display ?? id.slice(0, 200),
    mask: /(\w{1,4})$/.exec(display ?? '')?.[1] ?? null,
    currency: currencyOf(account) ?? known?.currency ?? (country === 'CA' ? 'CAD' : 'USD'),
    hasError: account.maybe('error', (it) => it.object('error')) !== null,
  };
}

/**
 * Null if the bank does not show it: FDX banks then mean their own currency, unless the account has
 * shown another one before.
 * @throws Unreadable for an invalid currency: amounts are not read in a guessed one
 */
function currencyOf(account: RemoteObject): string | null {
  return (
    account
      .optional('currency', (it) => it.object('currency'))
      ?.optional('currencyCode', (it) => it.currency('currencyCode')) ?? null
  );
}
