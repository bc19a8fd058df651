/** The work that an advance of a sandbox world ran. Source: link-lifecycle 14, `ran`. */
export interface RanCounts {
  scheduled_refreshes: number;
  /** Transactions that were stored as pending and are now posted. */
  settled_rows: number;
  /** Links whose permission ended, at its own time or as found by a fetch. */
  expired_auths: number;
  events: number;
}

export const NOTHING_RAN: RanCounts = {
  scheduled_refreshes: 0,
  settled_rows: 0,
  expired_auths: 0,
  events: 0,
};
