/** Source: native-api 4.4. */
export const PHONE_TYPES = ['home', 'work', 'mobile', 'other'] as const;
export type PhoneType = (typeof PHONE_TYPES)[number];

export interface OwnerAddress {
  street: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  country: string | null;
  primary: boolean;
}

/**
 * An owner of an account. Anything the institution does not report is empty. Source: native-api
 * 4.4.
 */
export interface Owner {
  names: readonly string[];
  addresses: readonly OwnerAddress[];
  phoneNumbers: readonly { number: string; primary: boolean; type: PhoneType }[];
  emails: readonly { address: string; primary: boolean }[];
}

/** The wire form. Source: native-api 4.4. */
export function presentOwner({ names, addresses, phoneNumbers, emails }: Owner) {
  return {
    names,
    addresses: addresses.map(({ street, city, region, postalCode, country, primary }) => ({
      street,
      city,
      region,
      postal_code: postalCode,
      country,
      primary,
    })),
    phone_numbers: phoneNumbers.map(({ number, primary, type }) => ({ number, primary, type })),
    emails: emails.map(({ address, primary }) => ({ address, primary })),
  };
}

export type PresentedOwner = ReturnType<typeof presentOwner>;
