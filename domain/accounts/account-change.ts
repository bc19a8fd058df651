import type { PresentedNumbers } from './account-numbers.js';
import type { PresentedOwner } from './account-owner.js';

/** A change that a fetch made to an account: the stored value before and after it. */
export interface AccountChange<Stored> {
  accountId: string;
  before: Stored;
  after: Stored;
}

/** Null = no numbers are stored. */
export type NumbersChange = AccountChange<PresentedNumbers | null>;
export type OwnersChange = AccountChange<readonly PresentedOwner[]>;
