import type { AccountType } from './account-types.js';

/** The evidence for the type of an account in one response; null or missing = none. */
export interface TypeEvidence {
  /** The source names the type. */
  stated?: AccountType | null;
  /** The source names no more than a group, of which this is the general type. */
  group?: AccountType | null;
  /** A guess, for example from the account's name. */
  guessed?: AccountType | null;
}

/** Types that do not describe an account. */
const UNSAID: ReadonlySet<AccountType> = new Set<AccountType>(['unknown', 'other.other']);

/**
 * The type of an account: as stated, else as known, else as guessed. Names change, and fields are
 * omitted; neither makes another account of it. Reasons: docs/decisions/0065.
 * @param known the stored type; null = none
 */
export function settleType(
  { stated = null, group = null, guessed = null }: TypeEvidence,
  known: AccountType | null,
): AccountType {
  if (stated !== null && stated !== 'unknown') return stated;
  const before = known === 'unknown' ? null : known;
  if (group !== null && (before === null || contradicts(group, before))) return group;
  return before ?? stated ?? guessed ?? 'unknown';
}

const contradicts = (group: AccountType, known: AccountType): boolean =>
  !UNSAID.has(group) && groupOf(group) !== groupOf(known);

/** `depository`, `investment`, `liability`, `other` or `unknown`. */
const groupOf = (type: AccountType): string | undefined => type.split('.')[0];
