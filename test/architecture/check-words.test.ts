import { forbiddenWords } from '../../tools/check-words.mjs';

const wordsIn = (text: string) =>
  forbiddenWords('domain/link/example.ts', text).map(({ word }) => word);

describe('the word list', () => {
  it('finds a forbidden word in a comment, a string and a test title, with its line', () => {
    const text = ['// The app is told.', "log('Whoever asks')", "it('begins anew', () => {})"];
    expect(forbiddenWords('domain/link/example.ts', text.join('\n'))).toEqual([
      { line: 1, word: 'told' },
      { line: 2, word: 'Whoever' },
      { line: 3, word: 'anew' },
    ]);
  });

  it('finds a phrase that continues on the next line of a comment', () => {
    expect(wordsIn(' * what is under\n * way')).toEqual(['under way']);
    expect(wordsIn('// given\n// up')).toEqual(['given up']);
  });

  it('accepts column names and longer words that contain a forbidden word', () => {
    expect(wordsIn('select told_seq, new_accounts_told from link_products')).toEqual([]);
    expect(wordsIn('manewals, mk_nobody, a fold untold')).toEqual([]);
  });

  it('accepts the table of CONTRIBUTING.md that names the words, and nothing else there', () => {
    expect(forbiddenWords('CONTRIBUTING.md', '| whoever, somebody, nobody | the caller |')).toEqual(
      [],
    );
    expect(forbiddenWords('CONTRIBUTING.md', 'Ask somebody.')).toHaveLength(1);
  });
});
