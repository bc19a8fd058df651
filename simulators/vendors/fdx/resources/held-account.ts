import type { Account } from '../../ledger/ledger.types.js';
import type { FdxValue } from './json-number.js';
import type { Positions } from './positions.js';
import type { Trade } from './trades.js';

/** Account categories of FDX 6. */
export type AccountCategory =
  | 'DEPOSIT_ACCOUNT'
  | 'LOC_ACCOUNT'
  | 'LOAN_ACCOUNT'
  | 'INVESTMENT_ACCOUNT'
  | 'ANNUITY_ACCOUNT'
  | 'INSURANCE_ACCOUNT'
  | 'COMMERCIAL_ACCOUNT';

/** An account of the resource server. */
export interface HeldAccount {
  id: string;
  name: string;
  mask: string;
  category: AccountCategory;
  accountType: string;
  currency: string;
  /** The details beyond the descriptor; null where FDX 6 banks return no details. */
  details: Readonly<Record<string, FdxValue>> | null;
  /** Shown to a permission for investments. */
  positions?: Positions;
  /** The rows of an account outside the ledger, the oldest first. */
  trades?: readonly Trade[];
  /** The source of its rows and numbers; null for accounts outside the ledger. */
  inLedger: Account | null;
}
