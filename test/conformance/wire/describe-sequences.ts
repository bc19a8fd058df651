import { violationsOf } from './untidy-sequence.js';
import { WIRE_SUBJECTS } from './wire-subjects.js';

/** The number of responses in a sequence. */
const RESPONSES = 30;

/**
 * Tests every adapter with sequences of untidy responses, each in another order of other faults.
 * @param seeds one for each sequence
 */
export function describeSequences(seeds: readonly number[], withinMs: number): void {
  it.each(Object.entries(WIRE_SUBJECTS))(
    `The adapter %s loses no readable row, returns none twice, gives no id to another row, takes no account with another's fault and keeps types and signs in ${seeds.length} sequences of ${RESPONSES} untidy responses`,
    async (_name, subject) => {
      const wrong: string[] = [];
      for (const seed of seeds)
        for (const violation of await violationsOf(subject, { seed, responses: RESPONSES }))
          wrong.push(`seed ${seed}, ${violation}`);
      expect(wrong).toEqual([]);
    },
    withinMs,
  );
}
