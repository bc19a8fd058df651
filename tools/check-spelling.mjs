import { runNode } from './process.mjs';

const CACHE = 'node_modules/.cache/tributary/cspell';

/**
 * cspell's findings in the sources: misspelled and flagged words, each with its place, or nothing.
 * Source: cspell.config.yaml.
 */
export async function checkSpelling() {
  const { status, output } = await runNode([
    'node_modules/cspell/bin.mjs',
    ...['lint', '--dot', '--no-progress', '--no-summary', '--relative'],
    ...['--cache', '--cache-strategy', 'content', '--cache-location', CACHE],
    '.',
  ]);
  return status === 0
    ? ''
    : `Correct these words, or add those of the field to cspell-words.txt:\n${output}`;
}
