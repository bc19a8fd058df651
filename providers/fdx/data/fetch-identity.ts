import type { Owner, OwnerAddress, PhoneType } from '../../../domain/accounts/account-owner.js';
import { internationalPhoneNumber } from '../../../domain/accounts/phone-number.js';
import type { RemoteObject } from '../../http/remote-object.js';
import type { ProviderAccountOwners } from '../../contract/provider.js';
import type { ReadResource } from './resource-reader.js';
import type { FdxInstitution } from '../settings.js';
import { readDescriptors } from './account-descriptor.js';
import { readOfEach, type Noting } from './each-account.js';

/** The maximum number of holders, or of addresses or numbers of an account. */
const MAX_PARTS = 100;

/** Reads the contact of each account. */
export async function fetchIdentity(
  read: ReadResource,
  institution: FdxInstitution,
  noting: Noting,
): Promise<ProviderAccountOwners[]> {
  const accounts = await readDescriptors(read, institution, noting);
  const contacts = await readOfEach(accounts, noting, async ({ id }) =>
    toOwners(
      await read(['accounts', id, 'contact'], {}, { account: id, note: noting.note }),
      institution,
    ),
  );
  return contacts.map(({ id, result: owners }) => ({ providerAccountId: id, owners }));
}

/**
 * FDX lists holders, some with contacts of their own, and contacts of the account. The account's
 * contacts that no holder has belong to the primary holder.
 */
export function toOwners(
  contact: RemoteObject,
  { country }: Pick<FdxInstitution, 'country'>,
): Owner[] {
  const holders = contact.parts('holders', MAX_PARTS, (holder) => holder);
  const own = holders.map((holder) => contactsOf(holder, country));
  const ofAccount = without(contactsOf(contact, country), own);
  const primary = Math.max(0, holders.findIndex(isPrimary));
  const owners = holders.map((holder, at) => {
    const contacts = own[at] ?? NO_CONTACTS;
    return toOwner(namesOf(holder), at === primary ? joined(contacts, ofAccount) : contacts);
  });
  return owners.length === 0 ? [toOwner([], ofAccount)] : owners;
}

/** `AccountHolderRelationship` of FDX 6: the primary one of several, or the only one. */
const isPrimary = (holder: RemoteObject): boolean =>
  /^(PRIMARY|SOLE_OWNER)/.test(textOf(holder, 'relationship') ?? '');

interface Contacts {
  addresses: Omit<OwnerAddress, 'primary'>[];
  phoneNumbers: { number: string; type: PhoneType }[];
  emails: { address: string }[];
}

const NO_CONTACTS: Contacts = { addresses: [], phoneNumbers: [], emails: [] };

/** The contacts of an account or a holder, which name the list of emails differently. */
function contactsOf(remote: RemoteObject, country: FdxInstitution['country']): Contacts {
  const emails = ['emails', 'email'].flatMap((field) => emailsIn(remote, field));
  return {
    addresses: remote.parts('addresses', MAX_PARTS, toAddress),
    phoneNumbers: remote.parts('telephones', MAX_PARTS, (phone) => toPhone(phone, country)),
    emails: emails.map((address) => ({ address })),
  };
}

/** A list, or the only one. */
function emailsIn(remote: RemoteObject, field: string): string[] {
  if (typeof remote.any(field) === 'string') return [textOf(remote, field) ?? []].flat();
  return remote.maybe(field, (it) => it.textList(field, { count: MAX_PARTS, max: 254 })) ?? [];
}

const same = (one: object) => (other: object) => JSON.stringify(one) === JSON.stringify(other);

function without(contacts: Contacts, held: readonly Contacts[]): Contacts {
  const isFree =
    <K extends keyof Contacts>(kind: K) =>
    (contact: object) =>
      !held.some((other) => other[kind].some(same(contact)));
  return {
    addresses: contacts.addresses.filter(isFree('addresses')),
    phoneNumbers: contacts.phoneNumbers.filter(isFree('phoneNumbers')),
    emails: contacts.emails.filter(isFree('emails')),
  };
}

const joined = (own: Contacts, more: Contacts): Contacts => ({
  addresses: [...own.addresses, ...more.addresses],
  phoneNumbers: [...own.phoneNumbers, ...more.phoneNumbers],
  emails: [...own.emails, ...more.emails],
});

/** The first of each is the primary one. */
function toOwner(names: readonly string[], contacts: Contacts): Owner {
  const first = (at: number) => ({ primary: at === 0 });
  return {
    names,
    addresses: contacts.addresses.map((address, at) => ({ ...address, ...first(at) })),
    phoneNumbers: contacts.phoneNumbers.map((phone, at) => ({ ...phone, ...first(at) })),
    emails: contacts.emails.map((email, at) => ({ ...email, ...first(at) })),
  };
}

const textOf = (remote: RemoteObject, field: string): string | null => remote.plain(field, 200);

/** A person has a name in parts, a business a single text. */
function namesOf(holder: RemoteObject): string[] {
  const name = holder.maybe('name', (it) => it.object('name'));
  const business = holder.maybe('businessCustomer', (it) => it.object('businessCustomer'));
  const person = ['prefix', 'first', 'middle', 'last', 'suffix']
    .map((part) => (name === null ? null : textOf(name, part)))
    .filter((part) => part !== null)
    .join(' ');
  const company = business === null ? null : textOf(business, 'name');
  return [person, company ?? ''].filter((text) => text !== '');
}

function toAddress(address: RemoteObject): Omit<OwnerAddress, 'primary'> {
  const lines = ['line1', 'line2', 'line3'].map((line) => textOf(address, line));
  const street = lines.filter((line) => line !== null).join(', ');
  return {
    street: street === '' ? null : street.slice(0, 200),
    city: textOf(address, 'city'),
    region: textOf(address, 'region'),
    postalCode: textOf(address, 'postalCode'),
    country: textOf(address, 'country'),
  };
}

const PHONE_TYPE_OF: Readonly<Record<string, PhoneType>> = {
  HOME: 'home',
  PERSONAL: 'home',
  BUSINESS: 'work',
  CELL: 'mobile',
};

function toPhone(phone: RemoteObject, country: FdxInstitution['country']) {
  const type = textOf(phone, 'type') ?? '';
  const code = /^\+?(\d{1,3})$/.exec(textOf(phone, 'country') ?? '')?.[1];
  const number = phone.text('number', { max: 40 });
  return {
    number: internationalPhoneNumber(
      code === undefined ? number : `+${code}${number}`,
      // Ignored for a number with its own country code.
      country,
    ),
    type: (Object.hasOwn(PHONE_TYPE_OF, type) ? PHONE_TYPE_OF[type] : undefined) ?? 'other',
  };
}
