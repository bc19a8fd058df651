import { createTextSimilarity } from '../transactions/similar-text.js';

/** What of an account is compared with what another provider lists. Null = unknown. */
export interface AccountElsewhere {
  number: string | null;
  accountType: string;
  mask: string | null;
  owner: string | null;
  currency: string;
  name: string;
}

/** Of the words of the shorter name. */
const MIN_NAME_SIMILARITY = 0.6;
/** Types that say nothing of what an account is. */
const UNSAID = new Set(['unknown', 'other.other']);

/**
 * Whether accounts that two providers list at one link may be the same. Their ids cannot say so, and
 * some providers give neither numbers nor owners, and guess types from names. So mask and currency
 * must be equal, and one more sign has to agree: the type, or the name where the types leave it
 * open. What both sides know must not contradict. Reasons: docs/decisions/live/0038.
 */
export function mayBeSameElsewhere(known: AccountElsewhere, listed: AccountElsewhere): boolean {
  if (known.mask === null || known.mask !== listed.mask) return false;
  if (known.currency !== listed.currency) return false;
  if (numbersContradict(known.number, listed.number)) return false;
  if (known.owner !== null && listed.owner !== null && known.owner !== listed.owner) return false;
  const isSaid = !UNSAID.has(known.accountType) && !UNSAID.has(listed.accountType);
  if (isSaid && known.accountType === listed.accountType) return true;
  if (isSaid && groupOf(known) !== groupOf(listed)) return false;
  return (createTextSimilarity()([known.name], [listed.name]) ?? 0) >= MIN_NAME_SIMILARITY;
}

/** An IBAN contains the national number of its account. */
function numbersContradict(known: string | null, listed: string | null): boolean {
  if (known === null || listed === null) return false;
  return !known.includes(listed) && !listed.includes(known);
}

/** `depository`, `investment`, `liability` or `other`. */
const groupOf = ({ accountType }: AccountElsewhere): string | undefined =>
  accountType.split('.')[0];
