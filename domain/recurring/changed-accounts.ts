import type { IdentifiedStream } from './identified-stream.js';

/**
 * The accounts in which streams were added, changed or dropped, in the order of the streams. The evidence does not
 * count: its figures change with every row of the account.
 */
export function changedAccounts(
  known: readonly IdentifiedStream[],
  found: readonly IdentifiedStream[],
): string[] {
  const before = textsById(known);
  const after = textsById(found);
  const differs = ({ streamId }: IdentifiedStream) => before.get(streamId) !== after.get(streamId);
  const changed = [...found, ...known].filter(differs);
  return [...new Set(changed.map(({ accountId }) => accountId))];
}

function textsById(streams: readonly IdentifiedStream[]): Map<string, string> {
  return new Map(
    streams.map(({ why: _, ...stream }) => [stream.streamId, JSON.stringify(stream)] as const),
  );
}
