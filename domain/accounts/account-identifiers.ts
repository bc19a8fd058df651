/** The identifiers of an account at its bank, independent of the provider's id. */
export interface AccountIdentifiers {
  /** The full account number; null = unknown. A masked number does not count. */
  number: string | null;
  /** Names of the owners; empty = unknown. */
  owners: readonly string[];
}

/** The account number, from an account's numbers in wire form. Every scheme has the same number. */
export function accountNumberOf({
  ach = [],
  eft = [],
  bacs = [],
  international = [],
}: PresentedNumbers): string | null {
  return (
    [...ach, ...eft, ...bacs].map(({ account_number: number }) => number)[0] ??
    international[0]?.iban ??
    null
  );
}

interface PresentedNumbers {
  ach?: readonly { account_number: string }[];
  eft?: readonly { account_number: string }[];
  bacs?: readonly { account_number: string }[];
  international?: readonly { iban: string }[];
}

/** The account number without spaces and dashes, in upper case; null = unknown. */
export function normalizeAccountNumber(number: string | null): string | null {
  const plain = (number ?? '').replace(/[\s-]/g, '').toUpperCase();
  return plain === '' ? null : plain;
}

/** All owner names, normalized so that order, case and spacing do not matter; null = unknown. */
export function normalizeOwnerNames(names: readonly string[]): string | null {
  const plain = names
    .map((name) => name.trim().replace(/\s+/g, ' ').toLowerCase())
    .filter((name) => name !== '');
  return plain.length === 0 ? null : JSON.stringify([...new Set(plain)].sort());
}
