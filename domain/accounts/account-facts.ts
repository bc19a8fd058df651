import type { Decimal } from 'decimal.js';
import type { AccountType } from './account-types.js';

/** The stored facts of an account that a later response may omit. */
export interface AccountFacts {
  accountType: AccountType;
  currency: string;
  /** The balances of the last fetch that had them; null = never known. */
  current: Decimal | null;
  available: Decimal | null;
  limit: Decimal | null;
}

/** By the provider's ids. */
export type FactsByAccount = ReadonlyMap<string, AccountFacts>;
