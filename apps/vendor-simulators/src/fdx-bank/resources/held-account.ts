import type { Account } from '../../ledger/ledger.types.js';
import type { FdxValue } from './json-number.js';

/** Account categories of FDX 6. */
export type AccountCategory =
  | 'DEPOSIT_ACCOUNT'
  | 'LOC_ACCOUNT'
  | 'LOAN_ACCOUNT'
  | 'INVESTMENT_ACCOUNT'
  | 'ANNUITY_ACCOUNT'
  | 'INSURANCE_ACCOUNT'
  | 'COMMERCIAL_ACCOUNT';

/** An account as the resource server knows it. */
export interface HeldAccount {
  id: string;
  name: string;
  mask: string;
  category: AccountCategory;
  accountType: string;
  currency: string;
  /** What the details have beyond the descriptor; null where FDX 6 banks give no details. */
  details: Readonly<Record<string, FdxValue>> | null;
  /** Where its rows and numbers are; null for what the ledger does not know. */
  inLedger: Account | null;
}
