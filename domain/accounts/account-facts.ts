import type { AccountType } from './account-types.js';

/** The stored facts of an account that a later response may omit. */
export interface AccountFacts {
  accountType: AccountType;
  currency: string;
  /** Whether `current` is stored. */
  hasCurrent: boolean;
}

/** By the provider's ids. */
export type FactsByAccount = ReadonlyMap<string, AccountFacts>;
