import { findExpressions, slowOnes } from '../../tools/check-expressions.mjs';

const found = findExpressions([
  {
    path: 'domain/exports/example.ts',
    text: String.raw`
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s"]*['=+\-@])/gu;
const END = /\/+$/;
const WORDS = /^(\w+\s?)+$/;
const LINEAR = /(?<!\/)\/+$/;
const BUILT = new RegExp(${'`'}^${'$'}{LINEAR.source}${'`'});`,
  },
]);

describe('The check of regular expressions', () => {
  it('fails for one that takes more than linear time, with its place and a text that shows it', async () => {
    const problems = (await slowOnes(found.literals)).map(({ problem }) => problem);
    expect(problems).toEqual([
      expect.stringMatching(/^domain\/exports\/example\.ts:2: .* takes 2nd degree polynomial/),
      expect.stringMatching(/^domain\/exports\/example\.ts:3: .* takes 2nd degree polynomial/),
      expect.stringMatching(/^domain\/exports\/example\.ts:4: .* takes exponential time/),
    ]);
  }, 300_000);

  it('finds those that are built while the program runs', () => {
    expect(found.built).toEqual([
      { path: 'domain/exports/example.ts', at: 'domain/exports/example.ts:6' },
    ]);
  });
});
