/** The access that a customer granted to one client. */
export interface Consent {
  customerId: string;
  /** Accounts of the ledger, and of `other-accounts.ts`. */
  accountIds: readonly string[];
}

/** The permissions of one institution, by the id of the OAuth grant that carries each. */
export interface Consents {
  give(grantId: string, consent: Consent): void;
  /** Null for an unknown or ended permission. */
  find(grantId: string): Consent | null;
  clear(): void;
}

/**
 * @param numberOf the ledger's count of ended consents of a customer: a consent ends when the count
 *   changes
 */
export function createConsents(numberOf: (customerId: string) => number): Consents {
  const given = new Map<string, { consent: Consent; number: number }>();
  return {
    give(grantId, consent) {
      given.set(grantId, { consent, number: numberOf(consent.customerId) });
    },
    find(grantId) {
      const entry = given.get(grantId);
      if (entry === undefined || entry.number !== numberOf(entry.consent.customerId)) return null;
      return entry.consent;
    },
    clear: () => given.clear(),
  };
}
