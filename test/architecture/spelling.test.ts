import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { phrasesIn } from '../../tools/check-spelling.mjs';

/** Checks a text as if it were in this file of the project. @returns the words that are found */
function wordsIn(file: string, text: string): string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [
      'node_modules/cspell/bin.mjs',
      ...['lint', '--no-progress', '--no-summary', '--words-only', `stdin://${file}`],
    ],
    { input: text, encoding: 'utf8' },
  );
  return stdout.split('\n').filter((line) => line !== '');
}

describe('The spelling of the project', () => {
  it('fails for a flagged, a misspelled and a British word in comments, strings and names', () => {
    const text = [
      '// The app is told of a recieved link.', // cspell:disable-line
      "it('keeps the behaviour', () => {});", // cspell:disable-line
      'const isTold = true;', // cspell:disable-line
      'const told_seq = 1; // A column.',
    ];
    // cspell:disable-next-line
    expect(wordsIn('domain/link/example.ts', text.join('\n'))).toEqual([
      'told', // cspell:disable-line
      'recieved', // cspell:disable-line
      'behaviour', // cspell:disable-line
      'Told', // cspell:disable-line
    ]);
  });

  it('fails for a replaced phrase, also across two lines of a comment', () => {
    expect(phrasesIn(' * A call is under\n * way.')).toEqual(['under way']);
    expect(phrasesIn("// given\n// up, 'Hears of it'")).toEqual(['given up', 'Hears of']);
    expect(phrasesIn('underway, a given upper bound')).toEqual([]);
  });

  it('lists its own words once each, in order', () => {
    const words = readFileSync('cspell-words.txt', 'utf8').trim().split('\n');
    expect(words).toEqual([...new Set(words)].sort());
  });
});
