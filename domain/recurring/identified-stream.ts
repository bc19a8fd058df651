import { keepStreamIds } from './keep-stream-ids.js';
import type { Stream } from './stream.js';

/** A stream with its place in the list of its link, which it keeps together with its id. */
export interface IdentifiedStream extends Stream {
  streamId: string;
  /** From 1, in the order in which streams were found; no two of a link have had the same. */
  place: number;
}

/** Gives found streams the ids and places of those that they continue, and new ones to the others. */
export function identifyStreams(
  known: readonly IdentifiedStream[],
  found: readonly Stream[],
  { lastPlace, makeId }: { lastPlace: number; makeId: () => string },
): IdentifiedStream[] {
  const places = new Map(known.map(({ streamId, place }) => [streamId, place]));
  const ids = keepStreamIds(known, found);
  let last = lastPlace;
  return found
    .map((stream, index) => {
      const kept = ids[index] ?? null;
      const place = kept === null ? undefined : places.get(kept);
      return kept === null || place === undefined
        ? { ...stream, streamId: makeId(), place: (last += 1) }
        : { ...stream, streamId: kept, place };
    })
    .sort((one, other) => one.place - other.place);
}
