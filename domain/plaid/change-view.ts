import type { LogRow } from '../transactions/change-log-row.js';

/** The part of the log in one update: after `base`, to the end of the stream. */
export interface Window {
  /** The first position of a stream that started at `now`; otherwise 0. */
  origin: bigint;
  base: bigint;
}

export interface Change {
  kind: 'added' | 'modified' | 'removed';
  record: 'pending' | 'posted';
  row: LogRow;
  /** Orders the changes of an update: a removal precedes the posting that caused it. */
  position: bigint;
}

/**
 * The changes for a client, in order. A row appears as up to two records: the pending one is
 * removed when the posted one is added. Source: plaid-compat 5.2, 5.3 and, for streams that started
 * at `now`, 5.4 rule 8.
 */
export function changesOf(rows: readonly LogRow[], window: Window): Change[] {
  return rows
    .flatMap((row) => recordsOf(row).map((record) => classified(row, record, window)))
    .filter((change) => change !== null)
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}

interface RecordLife {
  record: 'pending' | 'posted';
  born: bigint;
  died: bigint | null;
}

function recordsOf({ firstSeq, postedSeq, createdPending, removed, seq }: LogRow): RecordLife[] {
  const removedSeq = removed ? seq : null;
  const pending: RecordLife[] = createdPending
    ? [{ record: 'pending', born: firstSeq, died: postedSeq ?? removedSeq }]
    : [];
  const posted: RecordLife[] =
    postedSeq === null ? [] : [{ record: 'posted', born: postedSeq, died: removedSeq }];
  return [...pending, ...posted];
}

function classified(
  row: LogRow,
  { record, born, died }: RecordLife,
  { origin, base }: Window,
): Change | null {
  if (died !== null)
    return born <= base && died > base
      ? { kind: 'removed', record, row, position: 2n * died }
      : null;
  if (row.seq <= base) return null;
  // 5.4 rule 8: a stream that started after the record was added contains the record once it changes.
  const known = born <= origin ? row.firstSeqAfterOrigin : born;
  return { kind: known > base ? 'added' : 'modified', record, row, position: 2n * row.seq + 1n };
}
