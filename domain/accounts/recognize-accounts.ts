import { mayBeSameAccount } from './same-account.js';

/** The facts by which accounts are compared. Null = unknown, and equal to nothing. */
export interface ComparableAccount {
  providerAccountId: string;
  /** The account number. */
  number: string | null;
  accountType: string;
  mask: string | null;
  /** The normalized owner names. */
  owner: string | null;
  currency: string;
  name: string;
  /** Imported by an app and not yet seen at a bank, so it has neither number nor owner. */
  imported?: boolean;
}

interface MatchKey {
  of: (account: ComparableAccount) => string | null;
  /** Selects the known accounts that the key applies to; all by default. */
  appliesTo?: (known: ComparableAccount) => boolean;
}

/**
 * The keys by which accounts are compared, in order; never the name alone. Sources: link-lifecycle
 * 8; 11 for the last one.
 */
const MATCH_KEYS: readonly MatchKey[] = [
  { of: ({ providerAccountId }) => providerAccountId },
  { of: ({ number }) => number },
  {
    of: ({ accountType, mask, owner }) =>
      mask === null || owner === null ? null : JSON.stringify([accountType, mask, owner]),
  },
  {
    of: ({ accountType, mask }) => (mask === null ? null : JSON.stringify([accountType, mask])),
    appliesTo: ({ imported }) => imported === true,
  },
];

/**
 * Matches the accounts that a bank lists now with the accounts a link already has. A key shared by
 * two accounts on either side matches nothing: an ambiguous account is new. Accounts that no key
 * matches are compared by `mayBeSameAccount`, and recognized where exactly one pair remains.
 * @param otherProvider whether the list comes from a provider that did not serve the link before
 * @returns listed account → known account
 */
export function recognizeAccounts<K extends ComparableAccount, L extends ComparableAccount>(
  known: readonly K[],
  listed: readonly L[],
  { otherProvider = false }: { otherProvider?: boolean } = {},
): Map<L, K> {
  const recognized = new Map<L, K>();
  for (const { of: markOf, appliesTo: concerns = () => true } of MATCH_KEYS) {
    const taken = new Set(recognized.values());
    const ours = groupByKey(
      known.filter((account) => !taken.has(account) && concerns(account)),
      markOf,
    );
    const theirs = groupByKey(
      listed.filter((account) => !recognized.has(account)),
      markOf,
    );
    for (const [mark, [listing, ...others]] of theirs) {
      const [account, ...more] = ours.get(mark) ?? [];
      if (
        listing !== undefined &&
        account !== undefined &&
        others.length === 0 &&
        more.length === 0
      )
        recognized.set(listing, account);
    }
  }
  addSameAccounts(recognized, known, listed, { otherProvider });
  return recognized;
}

/** Adds the pairs of accounts that have no other possible match on either side. */
function addSameAccounts<K extends ComparableAccount, L extends ComparableAccount>(
  recognized: Map<L, K>,
  known: readonly K[],
  listed: readonly L[],
  options: { otherProvider: boolean },
): void {
  const taken = new Set(recognized.values());
  const ours = known.filter((account) => !taken.has(account));
  const theirs = listed.filter((account) => !recognized.has(account));
  for (const listing of theirs) {
    const [account, ...more] = ours.filter((it) => mayBeSameAccount(it, listing, options));
    if (account === undefined || more.length > 0) continue;
    if (theirs.filter((it) => mayBeSameAccount(account, it, options)).length === 1)
      recognized.set(listing, account);
  }
}

function groupByKey<A extends ComparableAccount>(
  accounts: readonly A[],
  markOf: (account: ComparableAccount) => string | null,
): Map<string, A[]> {
  const groups = new Map<string, A[]>();
  for (const account of accounts) {
    const mark = markOf(account);
    if (mark !== null) groups.set(mark, [...(groups.get(mark) ?? []), account]);
  }
  return groups;
}
