import { compare } from './recurring-row.js';

/** A stream that was found before. */
export interface KnownStream {
  streamId: string;
  transactionIds: readonly string[];
}

/**
 * The ids of found streams: each keeps that of the known stream with which it shares most rows, and no two keep the
 * same. Null = none is left for it.
 */
export function keepStreamIds(
  known: readonly KnownStream[],
  found: readonly { transactionIds: readonly string[] }[],
): (string | null)[] {
  const knownByRow = new Map<string, string[]>();
  for (const { streamId, transactionIds } of known)
    for (const id of transactionIds) knownByRow.set(id, [...(knownByRow.get(id) ?? []), streamId]);
  const pairs = found.flatMap(({ transactionIds }, index) => {
    const shared = new Map<string, number>();
    for (const id of transactionIds)
      for (const streamId of knownByRow.get(id) ?? [])
        shared.set(streamId, (shared.get(streamId) ?? 0) + 1);
    return [...shared].map(([streamId, rows]) => ({ index, streamId, rows }));
  });
  pairs.sort(
    (one, other) =>
      other.rows - one.rows || one.index - other.index || compare(one.streamId, other.streamId),
  );
  const ids = found.map((): string | null => null);
  const taken = new Set<string>();
  for (const { index, streamId } of pairs) {
    if (ids[index] !== null || taken.has(streamId)) continue;
    ids[index] = streamId;
    taken.add(streamId);
  }
  return ids;
}
