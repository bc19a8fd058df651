/** The current version of one transaction in the change log. */
export interface LogRow {
  transactionId: string;
  accountId: string;
  /**
   * The positions at which it was created, posted (null = pending, or pending until removed) and
   * last changed.
   */
  firstSeq: bigint;
  postedSeq: bigint | null;
  seq: bigint;
  createdPending: boolean;
  /** `seq` is a tombstone. */
  removed: boolean;
  /**
   * Its first entry after the origin of the stream, or the entry of its creation if it was created
   * later.
   */
  firstSeqAfterOrigin: bigint;
}
