import { openStorage, type Storage } from '../../support/fixtures/stored-link.js';
import { UNTIDY_IDS, type UntidyIds } from './untidy-bank.js';
import { endOfSequence } from './untidy-sequence.js';

/** UNTIDY_SEED tells another story; untidy-sequences.long.test.ts tells 500. */
const SEED = Number(process.env['UNTIDY_SEED'] ?? 293);

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
});
afterAll(() => storage.close());

it.each(Object.keys(UNTIDY_IDS) as UntidyIds[])(
  'The first correct answer after untidy ones makes what sync tells equal to the truth, with ids that are %s',
  async (ids) => {
    const { truth, ...end } = await endOfSequence(storage, { ids, seed: SEED, refreshes: 30 });
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
