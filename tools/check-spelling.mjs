import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runNode } from './process.mjs';

const CACHE = 'node_modules/.cache/tributary/cspell';
/** Between two words there may be the end of a line and the mark of a comment. */
const GAP = String.raw`\s+(?:(?:\*|\/\/|--|#|>)\s*)?`;
const PHRASES = new RegExp(String.raw`\b(?:under${GAP}way|hears${GAP}of|given${GAP}up)\b`, 'gi');
/** Older than the list, recorded, or naming the phrases. */
const WITHOUT_PHRASES =
  /^(docs\/contract\/|CHANGELOG\.md$|CONTRIBUTING\.md$|package-lock\.json$|test\/architecture\/spelling)|\/(histories|golden)\/|\.(png|svg)$/;

/**
 * Misspelled and flagged words of the sources, each with its place, or an empty string. Source:
 * cspell.config.yaml.
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

/** The phrases that CONTRIBUTING.md, "Language", replaces: cspell flags single words only. */
export function checkPhrases() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT });
  const files = String(listed).trim().split('\n');
  return files
    .filter((file) => !WITHOUT_PHRASES.test(file) && existsSync(join(ROOT, file)))
    .flatMap((file) =>
      phrasesIn(readFileSync(join(ROOT, file), 'utf8')).map((phrase) => `${file}: ${phrase}`),
    )
    .join('\n');
}

export const phrasesIn = (text) =>
  [...text.matchAll(PHRASES)].map(([found]) => found.replace(new RegExp(GAP), ' '));
