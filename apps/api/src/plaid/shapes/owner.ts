/** An owner in the native API (native-api 4.4). */
export interface StoredOwner {
  names: readonly string[];
  addresses: readonly {
    street: string | null;
    city: string | null;
    region: string | null;
    postal_code: string | null;
    country: string | null;
    primary?: boolean;
  }[];
  phone_numbers: readonly { number: string; primary?: boolean; type: string }[];
  emails: readonly { address: string; primary?: boolean }[];
}

const PHONE_TYPES: ReadonlySet<string> = new Set([
  'home',
  'work',
  'office',
  'mobile',
  'mobile1',
  'other',
]);

/** All owners of an account in one object, because many clients read only the first. Source: plaid-compat 3.4. */
export function presentOwners(owners: readonly StoredOwner[]) {
  const phones = union(
    owners.flatMap(({ phone_numbers: numbers }) => numbers),
    ({ number }) => number,
  );
  const emails = union(
    owners.flatMap((owner) => owner.emails),
    ({ address }) => address,
  );
  const addresses = union(
    owners.flatMap((owner) => owner.addresses),
    ({ street, city, region, postal_code: code, country }) =>
      JSON.stringify([street, city, region, code, country]),
  );
  return [
    {
      names: [...new Set(owners.flatMap(({ names }) => names))],
      phone_numbers: phones.map(({ entry: { number, type }, primary }) => ({
        data: number,
        primary,
        type: PHONE_TYPES.has(type) ? type : 'other',
      })),
      emails: emails.map(({ entry: { address }, primary }) => ({
        data: address,
        primary,
        type: primary ? 'primary' : 'secondary',
      })),
      addresses: addresses.map(
        ({ entry: { street, city, region, postal_code, country, primary: said }, primary }) => ({
          data: { street: street ?? '', city, region, postal_code, country },
          ...(said === undefined ? {} : { primary }),
        }),
      ),
    },
  ];
}

/** Without repetitions, in stored order; only the first primary one stays primary. */
function union<Entry extends { primary?: boolean }>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): { entry: Entry; primary: boolean }[] {
  const first = entries.find(({ primary }) => primary === true);
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    if (!byKey.has(keyOf(entry))) byKey.set(keyOf(entry), entry);
  }
  return [...byKey].map(([key, entry]) => ({
    entry,
    primary: first !== undefined && key === keyOf(first),
  }));
}
