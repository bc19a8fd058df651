/** The current version of one transaction, as the change log tells of it. */
export interface LogRow {
  transactionId: string;
  accountId: string;
  /** When it was born, posted (null = it is pending, or was to its end) and last changed. */
  firstSeq: bigint;
  postedSeq: bigint | null;
  seq: bigint;
  bornPending: boolean;
  /** True: `seq` is the tombstone. */
  removed: boolean;
  /** Its first entry after the origin of the stream; that of its birth when it was born later. */
  firstSeqAfterOrigin: bigint;
}
