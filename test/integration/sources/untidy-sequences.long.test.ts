import { storageOfFile, storage } from '../../support/fixtures/stored-link.js';
import { UNTIDY_IDS, type UntidyIds } from './untidy-bank.js';
import { endOfSequence } from './untidy-sequence.js';

const SEQUENCES = 500;
const AT_ONCE = 8;

storageOfFile();

it(`The first correct response makes the result of sync equal to the truth in ${SEQUENCES} sequences of 30 untidy responses`, async () => {
  const kinds = Object.keys(UNTIDY_IDS) as UntidyIds[];
  const wrong: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < SEQUENCES) {
      const seed = next;
      next += 1;
      const ids = kinds[seed % kinds.length] ?? 'stable';
      const { truth, synced, ...end } = await endOfSequence(storage, { ids, seed, refreshes: 30 });
      const isRight =
        JSON.stringify(synced) === JSON.stringify(truth) &&
        JSON.stringify(end) ===
          JSON.stringify({ renumbered: [], violations: [], incomplete: [], state: 'connected' });
      if (!isRight) wrong.push({ ids, seed, synced, truth, ...end });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(wrong).toEqual([]);
}, 3_600_000);
