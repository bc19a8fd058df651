import { createTextSimilarity } from '../text/similar-text.js';

/** The part of an account that is compared where its ids differ. Null = unknown. */
export interface AccountSigns {
  number: string | null;
  accountType: string;
  mask: string | null;
  owner: string | null;
  currency: string;
  name: string;
}

/** A share of the words in the shorter name. */
const MIN_NAME_SIMILARITY = 0.6;
/** Types that do not describe an account. */
const UNSAID = new Set(['unknown', 'other.other']);

/**
 * Whether a known account and a listed one may be the same under another id. Some providers return
 * neither numbers nor owners, and guess types from names. So mask and currency must be equal, and
 * one more sign has to agree: the type, or the name where a type is unknown or comes from another
 * provider. Facts known on both sides must not contradict each other. Reasons: docs/decisions/0010.
 */
export function mayBeSameAccount(
  known: AccountSigns,
  listed: AccountSigns,
  { otherProvider }: { otherProvider: boolean },
): boolean {
  if (known.mask === null || known.mask !== listed.mask) return false;
  if (known.currency !== listed.currency) return false;
  if (numbersContradict(known.number, listed.number)) return false;
  if (known.owner !== null && listed.owner !== null && known.owner !== listed.owner) return false;
  const isSaid = !UNSAID.has(known.accountType) && !UNSAID.has(listed.accountType);
  if (isSaid && known.accountType === listed.accountType) return true;
  if (isSaid && (!otherProvider || groupOf(known) !== groupOf(listed))) return false;
  return (createTextSimilarity()([known.name], [listed.name]) ?? 0) >= MIN_NAME_SIMILARITY;
}

/** An IBAN contains the national number of its account. */
function numbersContradict(known: string | null, listed: string | null): boolean {
  if (known === null || listed === null) return false;
  return !known.includes(listed) && !listed.includes(known);
}

/** `depository`, `investment`, `liability` or `other`. */
const groupOf = ({ accountType }: AccountSigns): string | undefined => accountType.split('.')[0];
