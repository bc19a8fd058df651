import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ROOT } from './process.mjs';

/** CONTRIBUTING.md, "Language", has what to write instead. `_` counts as a letter, so names of columns pass. */
const WORDS = [
  'told',
  'anew',
  'whoever',
  'somebody',
  'nobody',
  'under way',
  'hears of',
  'given up',
];

/** A phrase may continue on the next line of a comment. */
const GAP = String.raw`\s+(?:(?:\*|\/\/|--|#|>)\s*)?`;
const FORBIDDEN = new RegExp(
  String.raw`\b(?:${WORDS.map((word) => word.replace(' ', GAP)).join('|')})\b`,
  'gi',
);

/** The contract, recorded data, the history of releases, and the list with its test. */
const EXCLUDED = [
  /^docs\/contract\//,
  /^CHANGELOG\.md$/,
  /^package-lock\.json$/,
  /^tools\/check-words\.mjs$/,
  /^test\/architecture\/check-words\.test\.ts$/,
  /^test\/workflows\/histories\//,
  /\/golden\//,
  /\.(png|svg)$/,
];

/** Lines that must contain a forbidden word, each by its file and a part of the line. */
const EXCEPTIONS = [
  // An account of Unix systems.
  { file: 'apps/standalone/src/postgres/postgres-account.ts', line: "accountNamed('nobody')" },
  // The table that forbids the words.
  { file: 'CONTRIBUTING.md', line: '`npm run check` fails on *told, anew' },
  { file: 'CONTRIBUTING.md', line: '| told, tell, hears of;' },
  { file: 'CONTRIBUTING.md', line: '| whoever, somebody, nobody |' },
  { file: 'CONTRIBUTING.md', line: '| anew, under way,' },
  { file: 'CONTRIBUTING.md', line: '| given up, left' },
];

/** The forbidden words of one text. @returns `{ line, word }` of each, in order */
export function forbiddenWords(file, text) {
  const lines = text.split('\n');
  return [...text.matchAll(FORBIDDEN)]
    .map(({ 0: word, index }) => ({
      line: text.slice(0, index).split('\n').length,
      word: word.replace(new RegExp(GAP, 'g'), ' '),
    }))
    .filter(
      ({ line }) =>
        !EXCEPTIONS.some(
          (exception) => exception.file === file && lines[line - 1].includes(exception.line),
        ),
    );
}

/** Every forbidden word in the tracked files, or nothing. */
export function checkWords() {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const found = tracked
    .trim()
    .split('\n')
    .filter((file) => !EXCLUDED.some((excluded) => excluded.test(file)))
    .flatMap((file) =>
      forbiddenWords(file, read(file)).map(({ line, word }) => `${file}:${line} ${word}`),
    );
  return found.length === 0
    ? undefined
    : `Words that CONTRIBUTING.md, "Language", replaces:\n${found.join('\n')}`;
}

/** A tracked file may be deleted in the working tree. */
function read(file) {
  try {
    return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = checkWords();
  if (problem !== undefined) process.stderr.write(`${problem}\n`);
  process.exitCode = problem === undefined ? 0 : 1;
}
