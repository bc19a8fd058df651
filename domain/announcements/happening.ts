import type { NumbersChange, OwnersChange } from '../accounts/account-change.js';
import type { InvestmentChanges } from '../investments/investment-changes.js';
import type { LiabilityChange } from '../liabilities/liability-change.js';
import type { LinkError, LinkState } from '../link/link-state.js';
import type { Product } from '../link/products.js';
import type { LogRow } from '../transactions/change-log-row.js';

/** The events of a link about which its client may be notified. */
export type Happening =
  | StateChange
  | {
      kind: 'product_settled';
      product: Product;
      state: 'completed' | 'failed';
      at: Date;
      errorMessage: string | null;
    }
  | { kind: 'transactions_updated'; hasHistory: boolean }
  | TransactionPull
  /** A fetch of investments completed, and changed holdings or transactions. */
  | { kind: 'investments_updated'; holdings: boolean; transactions: boolean }
  /** A fetch of investments completed, and stored these rows. */
  | ({ kind: 'investments_pulled'; isFirst: boolean } & InvestmentChanges)
  | { kind: 'numbers_changed'; changes: readonly (NumbersChange & { accountType: string })[] }
  | { kind: 'owners_changed'; changes: readonly OwnersChange[] }
  | { kind: 'liabilities_changed'; changes: readonly LiabilityChange[] }
  /** These accounts have other recurring payments than those that the client last read. */
  | { kind: 'streams_changed'; accounts: readonly { accountId: string; accountType: string }[] }
  | { kind: 'accounts_added' }
  | { kind: 'account_delisted'; accountId: string }
  | { kind: 'permission_ending'; endsAt: Date }
  | { kind: 'permission_withdrawn' };

export type HappeningKind = Happening['kind'];
export type HappeningOf<Kind extends HappeningKind> = Extract<Happening, { kind: Kind }>;

export interface StateChange {
  kind: 'state_changed';
  state: LinkState;
  error: LinkError | null;
  errorMessage: string | null;
  /** The finer cause of `error`. */
  errorCause: string | null;
  /** The error before the change. */
  previousError: LinkError | null;
  /** The link was exchanged, so its client knows it. */
  isExchanged: boolean;
  /** The change resulted from a session of the client itself. */
  isExpected: boolean;
}

/** The stored part of the requested history. */
export type Depth = 'nothing' | 'recent' | 'whole';

/** A fetch of transactions completed. */
export interface TransactionPull {
  kind: 'transactions_pulled';
  before: Depth;
  after: Exclude<Depth, 'nothing'>;
  /** The log after position `base`: the entries that have not been announced yet. */
  rows: readonly (LogRow & { day: string; accountType: string })[];
  base: bigint;
  /** The current day by the clock of the link. */
  today: string;
  /** The client reads changes from the log. */
  readsChanges: boolean;
}
