import type { AccountChange } from '../accounts/account-change.js';
import type { PresentedLiability } from './present-liability.js';

/** Null = no debt is stored. */
export type LiabilityChange = AccountChange<PresentedLiability | null>;
