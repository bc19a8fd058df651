import { PHONE_TYPES, type Owner } from '../../../domain/accounts/account-owner.js';
import { internationalPhoneNumber } from '../../../domain/accounts/phone-number.js';
import type { ProviderAccess, ProviderAccountOwners } from '../../provider.js';
import { MAX_ACCOUNTS } from './fetch-accounts.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';

const MAX_OWNERS = 200;
/** Names, addresses or numbers per owner. */
const MAX_PARTS = 50;

export async function fetchIdentity(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<ProviderAccountOwners[]> {
  const response = await callConnection(callBank, access, { part: 'owners' });
  return toAccountOwners(new RemoteObject(response, 'response').list('owners', MAX_OWNERS));
}

/** The bank lists owners with their accounts; this lists accounts with their owners. */
export function toAccountOwners(remotes: readonly unknown[]): ProviderAccountOwners[] {
  const byAccount = new Map<string, Owner[]>();
  for (const remote of remotes) {
    const owner = toOwner(remote);
    for (const accountId of accountIdsOf(remote))
      byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), owner]);
  }
  if (byAccount.size > MAX_ACCOUNTS) throw malformed('there are owners of too many accounts');
  return [...byAccount].map(([providerAccountId, owners]) => ({ providerAccountId, owners }));
}

function toOwner(remote: unknown): Owner {
  const owner = new RemoteObject(remote, 'owner');
  const parts = (field: string) =>
    owner.list(field, MAX_PARTS).map((part) => new RemoteObject(part, `owner.${field}`));
  return {
    names: owner.textList('names', { count: MAX_PARTS, max: 200 }),
    addresses: parts('addresses').map((address) => ({
      street: address.textOrNull('street', { max: 200 }),
      city: address.textOrNull('city', { max: 100 }),
      region: address.textOrNull('region', { max: 100 }),
      postalCode: address.textOrNull('postal_code', { max: 20 }),
      country: address.textOrNull('country', { max: 60 }),
      primary: address.boolean('primary'),
    })),
    phoneNumbers: parts('phone_numbers').map((phone) => ({
      number: internationalPhoneNumber(phone.text('number', { max: 40 }), 'US'),
      primary: phone.boolean('primary'),
      type: phone.oneOf('type', PHONE_TYPES),
    })),
    emails: parts('emails').map((email) => ({
      address: email.text('address', { max: 254 }),
      primary: email.boolean('primary'),
    })),
  };
}

function accountIdsOf(remote: unknown): string[] {
  const ids = new RemoteObject(remote, 'owner').textList('account_ids', {
    count: MAX_ACCOUNTS,
    max: 100,
  });
  if (new Set(ids).size !== ids.length) throw malformed('an owner has an account twice');
  return ids;
}
