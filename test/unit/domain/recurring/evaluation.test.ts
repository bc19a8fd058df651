import { findStreams } from '../../../../domain/recurring/find-streams.js';
import { count, isFoundAs, shareOf, type Tally } from './support/judge-streams.js';
import { NAMES, OTHER_NAMES } from './support/world-names.js';
import { createWorld, TODAY } from './support/worlds.js';

const CUSTOMERS = 30;
describe.each([
  { of: 'the worlds that the rules were written with', names: NAMES, firstSeed: 1 },
  { of: 'worlds with other seeds and names', names: OTHER_NAMES, firstSeed: 7001 },
])('Streams in two years of rows of 30 customers of $of', ({ names, firstSeed }) => {
  const precision = new Map<string, Tally>();
  const recall = new Map<string, Tally>();

  beforeAll(() => {
    for (let seed = firstSeed; seed < firstSeed + CUSTOMERS; seed += 1) {
      const { rows, streams: labeled } = createWorld(seed, names);
      const found = findStreams(rows, TODAY);
      for (const stream of found)
        count(
          precision,
          stream.status,
          labeled.some((one) => isFoundAs(stream, one)),
        );
      for (const one of labeled)
        count(
          recall,
          one.kind,
          found.some((stream) => isFoundAs(stream, one)),
        );
    }
    const lines = (tallies: Map<string, Tally>) =>
      [...tallies].sort().map(([name, { right, all }]) => `  ${name}: ${right} of ${all}\n`);
    process.stdout.write(
      [
        `precision ${shareOf(precision.values()).toFixed(3)}\n`,
        ...lines(precision),
        `recall ${shareOf(recall.values()).toFixed(3)}\n`,
        ...lines(recall),
      ].join(''),
    );
  });

  it('are found with a recall of at least 0.9', () => {
    expect(shareOf(recall.values())).toBeGreaterThanOrEqual(0.9);
  });

  it('are found with a recall of at least 0.6 of each kind', () => {
    const poor = [...recall].filter(([, tally]) => shareOf([tally]) < 0.6);
    expect(poor).toEqual([]);
  });

  it('are right in at least 0.95 of all that are found', () => {
    expect(shareOf(precision.values())).toBeGreaterThanOrEqual(0.95);
  });

  it.each([
    { status: 'mature', least: 0.95 },
    { status: 'early', least: 0.85 },
    { status: 'ended', least: 0.95 },
  ])('are right in at least $least of those that are called $status', ({ status, least }) => {
    expect(shareOf([precision.get(status) ?? { right: 0, all: 1 }])).toBeGreaterThanOrEqual(least);
  });
});
