import { setImmediate } from 'node:timers/promises';

/** Half of the 50 ms for which one piece of work may keep others waiting: it is not cut. */
const SLICE_MS = 25;

type Clock = () => number;

/** Runs steps of work to their result; other work gets a turn whenever a slice of time was spent. */
export async function runInTurns<Result>(
  steps: Generator<void, Result>,
  now: Clock = () => performance.now(),
): Promise<Result> {
  const turn = startTurn(now);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turn.isOver()) await turn.next();
  }
}

export function startTurn(now: Clock) {
  let end = now() + SLICE_MS;
  return {
    isOver: () => now() >= end,
    async next() {
      await setImmediate();
      end = now() + SLICE_MS;
    },
  };
}
