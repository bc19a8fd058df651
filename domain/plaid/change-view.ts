import type { LogRow } from '../transactions/change-log-row.js';

/** The part of the log that one update tells of: (base, the end of the stream]. */
export interface Window {
  /** Where a stream that began `now` began; 0 = at the beginning. */
  origin: bigint;
  base: bigint;
}

export interface Change {
  kind: 'added' | 'modified' | 'removed';
  record: 'pending' | 'posted';
  row: LogRow;
  /** Orders all changes of an update: a removal stands just before the posting that caused it. */
  position: bigint;
}

/**
 * The changes a client has to be told of, in order. One of our rows is shown as up to two records: the pending one dies
 * when the posted one is born. Source: plaid-compat 5.2, 5.3 and, for streams that began `now`, 5.4 rule 8.
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

function recordsOf({ firstSeq, postedSeq, bornPending, removed, seq }: LogRow): RecordLife[] {
  const removedSeq = removed ? seq : null;
  const pending: RecordLife[] = bornPending
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
  // 5.4 rule 8: a client that began later than the record hears of it first when it changes.
  const known = born <= origin ? row.firstSeqAfterOrigin : born;
  return { kind: known > base ? 'added' : 'modified', record, row, position: 2n * row.seq + 1n };
}
