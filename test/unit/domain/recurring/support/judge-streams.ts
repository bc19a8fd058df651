import type { Stream } from '../../../../../domain/recurring/stream.js';
import type { LabeledStream } from './worlds.js';

const MIN_FOUND = 0.8;
const MAX_FOREIGN = 0.1;

/** Whether a found stream is the labeled one: most of its rows, few others, and its interval. */
export function isFoundAs(stream: Stream, labeled: LabeledStream): boolean {
  const own = new Set(labeled.ids);
  const shared = stream.transactionIds.filter((id) => own.has(id)).length;
  return (
    stream.interval === labeled.interval &&
    shared >= labeled.ids.length * MIN_FOUND &&
    stream.transactionIds.length - shared <= stream.transactionIds.length * MAX_FOREIGN
  );
}

export interface Tally {
  right: number;
  all: number;
}

export function count(tallies: Map<string, Tally>, name: string, isRight: boolean): void {
  const tally = tallies.get(name) ?? { right: 0, all: 0 };
  tallies.set(name, { right: tally.right + Number(isRight), all: tally.all + 1 });
}

export function shareOf(tallies: Iterable<Tally>): number {
  let right = 0;
  let all = 0;
  for (const tally of tallies) {
    right += tally.right;
    all += tally.all;
  }
  return all === 0 ? 1 : right / all;
}
