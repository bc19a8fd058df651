import { PHONE_TYPES, type Owner } from '../../../domain/accounts/account-owner.js';
import { internationalPhoneNumber } from '../../../domain/accounts/phone-number.js';
import type { ProviderAccess, ProviderAccountOwners } from '../../contract/provider.js';
import { MAX_ACCOUNTS } from './fetch-accounts.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { readEach, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';

const MAX_OWNERS = 200;
/** Names, addresses or numbers per owner. */
const MAX_PARTS = 50;

export async function fetchIdentity(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<ProviderAccountOwners[]> {
  const response = await callConnection(callBank, access, { part: 'owners' });
  const owners = new RemoteObject(response, 'response').list('owners', MAX_OWNERS);
  return toAccountOwners(owners, access);
}

/** The bank lists owners with their accounts; this lists accounts with their owners. */
export function toAccountOwners(
  remotes: readonly unknown[],
  { note }: Pick<ProviderAccess, 'note'>,
): ProviderAccountOwners[] {
  const byAccount = new Map<string, Owner[]>();
  const scope = { account: null, note };
  // The account of an unreadable owner is unknown, too: every account keeps its own owners.
  readEach(remotes, { ...scope, scope: 'account' }, (remote) => {
    const owner = toOwner(new RemoteObject(remote, 'owner', scope));
    for (const accountId of accountIdsOf(remote, scope))
      byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), owner]);
  });
  return [...byAccount].map(([providerAccountId, owners]) => ({ providerAccountId, owners }));
}

function toOwner(owner: RemoteObject): Owner {
  const isPrimary = (part: RemoteObject) =>
    part.maybe('primary', (it) => it.boolean('primary')) ?? false;
  return {
    names: owner.maybe('names', (it) => it.textList('names', { count: MAX_PARTS, max: 200 })) ?? [],
    addresses: owner.parts('addresses', MAX_PARTS, (address) => ({
      street: address.plain('street', 200),
      city: address.plain('city', 100),
      region: address.plain('region', 100),
      postalCode: address.plain('postal_code', 20),
      country: address.plain('country', 60),
      primary: isPrimary(address),
    })),
    phoneNumbers: owner.parts('phone_numbers', MAX_PARTS, (phone) => ({
      number: internationalPhoneNumber(phone.text('number', { max: 40 }), 'US'),
      primary: isPrimary(phone),
      type: phone.maybe('type', (it) => it.oneOf('type', PHONE_TYPES)) ?? 'other',
    })),
    emails: owner.parts('emails', MAX_PARTS, (email) => ({
      address: email.text('address', { max: 254 }),
      primary: isPrimary(email),
    })),
  };
}

function accountIdsOf(remote: unknown, scope: ReadScope): string[] {
  const listed = new RemoteObject(remote, 'owner').list('account_ids', MAX_ACCOUNTS);
  const ids = readEach(listed, { ...scope, scope: 'account' }, (id) =>
    new RemoteObject({ account_id: id }, 'owner').text('account_id', { max: 100 }),
  );
  return [...new Set(ids)];
}
