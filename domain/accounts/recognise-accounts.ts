/** What tells accounts apart. What is not known is null, and never equal to anything. */
export interface RecognisableAccount {
  providerAccountId: string;
  /** The account number. */
  number: string | null;
  accountType: string;
  mask: string | null;
  /** Who owns it. */
  owner: string | null;
  /** An app imported it, and no bank has shown it yet: it has neither number nor owner. */
  imported?: boolean;
}

interface Mark {
  of: (account: RecognisableAccount) => string | null;
  /** Which of the accounts we have it speaks of; all unless given. */
  concerns?: (known: RecognisableAccount) => boolean;
}

/** By these marks, in this order. Never by name. Sources: link-lifecycle 8, and 11 for the last one. */
const MARKS: readonly Mark[] = [
  { of: ({ providerAccountId }) => providerAccountId },
  { of: ({ number }) => number },
  {
    of: ({ accountType, mask, owner }) =>
      mask === null || owner === null ? null : JSON.stringify([accountType, mask, owner]),
  },
  {
    of: ({ accountType, mask }) => (mask === null ? null : JSON.stringify([accountType, mask])),
    concerns: ({ imported }) => imported === true,
  },
];

/**
 * Says which of the accounts the bank lists now are ones a link has already. A mark that two accounts of either side
 * share says nothing: in doubt it is a new account.
 */
export function recogniseAccounts<K extends RecognisableAccount, L extends RecognisableAccount>(
  known: readonly K[],
  listed: readonly L[],
): Map<L, K> {
  const recognised = new Map<L, K>();
  for (const { of: markOf, concerns = () => true } of MARKS) {
    const taken = new Set(recognised.values());
    const ours = byMark(
      known.filter((account) => !taken.has(account) && concerns(account)),
      markOf,
    );
    const theirs = byMark(
      listed.filter((account) => !recognised.has(account)),
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
        recognised.set(listing, account);
    }
  }
  return recognised;
}

function byMark<A extends RecognisableAccount>(
  accounts: readonly A[],
  markOf: (account: RecognisableAccount) => string | null,
): Map<string, A[]> {
  const groups = new Map<string, A[]>();
  for (const account of accounts) {
    const mark = markOf(account);
    if (mark !== null) groups.set(mark, [...(groups.get(mark) ?? []), account]);
  }
  return groups;
}
