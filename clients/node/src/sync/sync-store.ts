import type { Transaction } from '../generated/types.js';
import type { MoneyForm, WithMoney } from '../money.js';

/** The position of a walk, which the store commits together with the rows. */
export interface SyncPosition {
  cursor: string;
  /** True while a walk that began again, because a cursor was refused, is not complete. */
  restarting: boolean;
}

/** The changes of one page, to be committed in one transaction of the store. */
export interface SyncedPage<Money extends MoneyForm = 'number'> {
  /** To put: insert, or replace the row with the same `transaction_id`. */
  upserted: WithMoney<Transaction, Money>[];
  /** Ids to delete if present. */
  removed: string[];
  /** To be stored with the rows; `load` returns it from then on. */
  position: SyncPosition;
  /**
   * Null: the rows go into the copy. Otherwise they go into a replacement beside it, because the
   * walk began again. `begins`: empty the replacement first. `completes`: after this page, put the
   * replacement in the place of the copy.
   */
  replacement: { begins: boolean; completes: boolean } | null;
}

/**
 * Keeps a copy of transactions. One walk of a link runs at a time; a second one repeats work, and
 * loses nothing.
 */
export interface SyncStore<Money extends MoneyForm = 'number'> {
  /** The position that was committed last, or null before the first page. */
  load(linkId: string): Promise<SyncPosition | null> | SyncPosition | null;
  /** Stores rows and position in one transaction: both, or neither. */
  commit(linkId: string, page: SyncedPage<Money>): Promise<void> | void;
}
