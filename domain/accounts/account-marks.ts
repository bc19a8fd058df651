/** What tells an account apart from every other of its bank, whatever id a provider gives it. */
export interface AccountMarks {
  /** The account number, whole; null = not known. A masked one is none. */
  number: string | null;
  /** The names of its owners; empty = not known. */
  owners: readonly string[];
}

/** The account number among the numbers of an account in their wire form: by one scheme or another it is one number. */
export function numberOf({
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

/** Spaces and dashes are a matter of print. */
export function numberMark(number: string | null): string | null {
  const plain = (number ?? '').replace(/[\s-]/g, '').toUpperCase();
  return plain === '' ? null : plain;
}

/** All names of all owners, in whatever order and case they come; null = none is known. */
export function ownerMark(names: readonly string[]): string | null {
  const plain = names
    .map((name) => name.trim().replace(/\s+/g, ' ').toLowerCase())
    .filter((name) => name !== '');
  return plain.length === 0 ? null : JSON.stringify([...new Set(plain)].sort());
}
