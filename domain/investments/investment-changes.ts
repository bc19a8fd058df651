/** The changes of a fetch of investments, in rows. */
export interface InvestmentChanges {
  holdings: HoldingChanges;
  transactions: TradeChanges;
}

export interface HoldingChanges {
  /** New holdings, and those that are held again. */
  added: number;
  /** Including holdings that ended. */
  updated: number;
}

export interface TradeChanges {
  /** New and changed transactions. */
  written: number;
  removed: number;
}
