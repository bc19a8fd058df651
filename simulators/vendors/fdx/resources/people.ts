import type { Customer } from '../../ledger/ledger.types.js';
import type { FdxValue } from './json-number.js';

/** Calling codes of the countries where customers of the ledger live. */
const CALLING_CODES = ['1', '49', '358'];

/** Body of `/accounts/{accountId}/contact`. */
export const showContact = (customer: Customer): FdxValue => ({
  holders: [{ relationship: 'PRIMARY', name: nameOf(customer) }],
  ...contactsOf(customer),
});

/**
 * Body of `/customers/current`.
 * @param withContacts false shows the id alone
 */
export const showCustomer = (customer: Customer, withContacts: boolean): FdxValue => ({
  customerId: customer.id,
  ...(withContacts ? { name: nameOf(customer), ...contactsOf(customer) } : {}),
});

function nameOf({ name }: Customer): { first: string; last: string } {
  const [first = '', ...rest] = name.split(' ');
  return { first, last: rest.join(' ') };
}

const contactsOf = ({ email, phone, address }: Customer): Record<string, FdxValue> => ({
  emails: [email],
  addresses: [
    {
      line1: address.street,
      city: address.city,
      region: address.region ?? undefined,
      postalCode: address.postalCode,
      country: address.country,
    },
  ],
  telephones: [{ type: 'CELL', ...splitPhone(phone) }],
});

function splitPhone(phone: string): { country?: string; number: string } {
  const digits = phone.replace(/^\+/, '');
  const country = CALLING_CODES.find((code) => digits.startsWith(code));
  return country === undefined
    ? { number: digits }
    : { country, number: digits.slice(country.length) };
}
