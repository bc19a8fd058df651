import { storageOfFile, storage } from '../../support/fixtures/stored-link.js';
import { SEED } from '../../support/runner/seed.js';
import { UNTIDY_IDS, type UntidyIds } from './untidy-bank.js';
import { endOfSequence } from './untidy-sequence.js';

storageOfFile();

// untidy-sequences.long.test.ts has 500 seeds, with 30 responses each.
const REFRESHES = process.env['LONG_RUNS'] ? 12 : 6;
it.each(Object.keys(UNTIDY_IDS) as UntidyIds[])(
  'The first correct response after untidy ones makes the result of sync equal to the truth, with ids that are %s',
  async (ids) => {
    const { truth, ...end } = await endOfSequence(storage, {
      ids,
      seed: SEED,
      refreshes: REFRESHES,
    });
    expect({ seed: SEED, ...end }).toEqual({
      seed: SEED,
      synced: truth,
      renumbered: [],
      violations: [],
      incomplete: [],
      state: 'connected',
    });
  },
);
