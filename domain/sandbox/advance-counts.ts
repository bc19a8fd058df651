/** What an advance of a sandbox world has run. Source: link-lifecycle 14, `ran`. */
export interface RanCounts {
  scheduled_refreshes: number;
  /** Rows that were pending in our store and are posted now. */
  settled_rows: number;
  /** Links whose permission ended, by its own time or as a fetch found. */
  expired_auths: number;
  events: number;
}

export const NOTHING_RAN: RanCounts = {
  scheduled_refreshes: 0,
  settled_rows: 0,
  expired_auths: 0,
  events: 0,
};
