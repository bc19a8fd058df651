import { startTurn } from '../../../platform/src/process/run-in-turns.js';

type Clock = () => number;

/** Passes on what is generated. Whenever a slice of time was spent, other calls get a turn. */
export async function* inTurns<T>(
  pieces: AsyncIterable<T>,
  now: Clock = () => performance.now(),
): AsyncGenerator<T> {
  const turn = startTurn(now);
  for await (const piece of pieces) {
    yield piece;
    if (turn.isOver()) await turn.next();
  }
}

/**
 * `items.map(work)`, in which other calls get a turn whenever a slice of time was spent, or after `atOnce` items: of large
 * ones, so that neighbors wait for less than a slice.
 */
export async function mapInTurns<T, Result>(
  items: Iterable<T>,
  work: (item: T) => Result,
  { atOnce = Infinity, now = () => performance.now() }: { atOnce?: number; now?: Clock } = {},
): Promise<Result[]> {
  const turn = startTurn(now);
  const results: Result[] = [];
  for (const item of items) {
    if (results.length > 0 && (turn.isOver() || results.length % atOnce === 0)) await turn.next();
    results.push(work(item));
  }
  return results;
}
