import type { Owner, OwnerAddress, PhoneType } from '../../../domain/accounts/account-owner.js';
import { internationalPhoneNumber } from '../../../domain/accounts/phone-number.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderAccountOwners } from '../../provider.js';
import type { ReadResource } from './resource-reader.js';
import type { FdxInstitution } from '../settings.js';
import { readDescriptors } from './account-descriptor.js';
import { readOfEach } from './each-account.js';

/** Holders, or addresses or numbers of an account. */
const MAX_PARTS = 100;

/** Reads the contact of each account. */
export async function fetchIdentity(
  read: ReadResource,
  institution: FdxInstitution,
): Promise<ProviderAccountOwners[]> {
  const accounts = await readDescriptors(read, institution);
  const contacts = await readOfEach(accounts, ({ id }) => read(['accounts', id, 'contact']));
  return contacts.map(({ id, result }) => ({
    providerAccountId: id,
    owners: toOwners(result, institution),
  }));
}

/** FDX lists names of holders, and addresses and numbers of the account: of the first holder. */
export function toOwners(
  contact: RemoteObject,
  { country }: Pick<FdxInstitution, 'country'>,
): Owner[] {
  const [first = [], ...others] = parts(contact, 'holders').map(namesOf);
  const phones = parts(contact, 'telephones');
  return [
    {
      names: first,
      addresses: parts(contact, 'addresses').map(toAddress),
      phoneNumbers: phones.map((phone, at) => toPhone(phone, country, at === 0)),
      emails: (
        contact.optional('emails', (it) => it.textList('emails', { count: MAX_PARTS, max: 254 })) ??
        []
      ).map((address, at) => ({ address, primary: at === 0 })),
    },
    ...others.map((names) => ({ names, addresses: [], phoneNumbers: [], emails: [] })),
  ];
}

function parts(contact: RemoteObject, field: string): RemoteObject[] {
  const list = contact.optional(field, (it) => it.list(field, MAX_PARTS)) ?? [];
  return list.map((part) => new RemoteObject(part, `contact.${field}`));
}

const textOf = (remote: RemoteObject, field: string): string | null =>
  remote.optional(field, (it) => it.anyText(field)?.slice(0, 200) ?? null);

/** A person has a name in parts, a business one text. */
function namesOf(holder: RemoteObject): string[] {
  const name = holder.optional('name', (it) => it.object('name'));
  const business = holder.optional('businessCustomer', (it) => it.object('businessCustomer'));
  const person = ['prefix', 'first', 'middle', 'last', 'suffix']
    .map((part) => (name === null ? null : textOf(name, part)))
    .filter((part) => part !== null)
    .join(' ');
  const company = business === null ? null : textOf(business, 'name');
  return [person, company ?? ''].filter((text) => text !== '');
}

function toAddress(address: RemoteObject, at: number): OwnerAddress {
  const lines = ['line1', 'line2', 'line3'].map((line) => textOf(address, line));
  const street = lines.filter((line) => line !== null).join(', ');
  return {
    street: street === '' ? null : street.slice(0, 200),
    city: textOf(address, 'city'),
    region: textOf(address, 'region'),
    postalCode: textOf(address, 'postalCode'),
    country: textOf(address, 'country'),
    primary: at === 0,
  };
}

const PHONE_TYPE_OF: Readonly<Record<string, PhoneType>> = {
  HOME: 'home',
  PERSONAL: 'home',
  BUSINESS: 'work',
  CELL: 'mobile',
};

function toPhone(phone: RemoteObject, country: FdxInstitution['country'], primary: boolean) {
  const type = textOf(phone, 'type') ?? '';
  const code = /^\+?(\d{1,3})$/.exec(textOf(phone, 'country') ?? '')?.[1];
  const number = phone.text('number', { max: 40 });
  return {
    number: internationalPhoneNumber(
      code === undefined ? number : `+${code}${number}`,
      // Not looked at in a number with its own code.
      country,
    ),
    primary,
    type: (Object.hasOwn(PHONE_TYPE_OF, type) ? PHONE_TYPE_OF[type] : undefined) ?? 'other',
  };
}
