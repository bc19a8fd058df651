import type { AccountFacts } from '../../../domain/accounts/account-facts.js';
import type { RemoteObject } from '../../http/remote-object.js';
import type { FdxInstitution } from '../settings.js';
import { readDescriptors, type AccountDescriptor } from './account-descriptor.js';
import { readOfEach, type Noting } from './each-account.js';
import type { ReadResource } from './resource-reader.js';

/** The facts that decide whether an account may have holdings, or is a debt. */
export type KindFacts = Pick<AccountDescriptor, 'accountType' | 'category'>;

/** The accounts of one kind, and the faults of those alone. */
export async function readAccountsOf(
  isOfKind: (facts: KindFacts) => boolean,
  read: ReadResource,
  institution: FdxInstitution,
  noting: Noting,
): Promise<{ accounts: AccountDescriptor[]; noting: Noting }> {
  const listed = await readDescriptors(read, institution, noting);
  const accounts = listed.filter(isOfKind);
  const others = new Set(listed.filter((it) => !isOfKind(it)).map(({ id }) => id));
  const mayBeOfKind = (known: AccountFacts | undefined): boolean =>
    known === undefined || isOfKind({ accountType: known.accountType, category: '' });
  const knownAccounts = (noting.knownAccounts ?? []).filter(
    (id) => !others.has(id) && mayBeOfKind(noting.accountFacts?.get(id)),
  );
  return { accounts, noting: { ...noting, knownAccounts } };
}

/**
 * Reads the details of the accounts of one kind. An account that fails keeps its stored data.
 * @param translate the details; null = the account has no such data
 */
export async function readDetailsOf<T>(
  isOfKind: (facts: KindFacts) => boolean,
  {
    read,
    institution,
    noting: all,
  }: { read: ReadResource; institution: FdxInstitution; noting: Noting },
  translate: (account: AccountDescriptor, details: RemoteObject) => T | null,
): Promise<T[]> {
  const { accounts, noting } = await readAccountsOf(isOfKind, read, institution, all);
  const found = await readOfEach(accounts, noting, async (account) => {
    const { id } = account;
    const details = await read(['accounts', id], {}, { account: id, note: noting.note });
    return { translated: translate(account, details) };
  });
  return found.flatMap(({ result: { translated } }) => translated ?? []);
}
