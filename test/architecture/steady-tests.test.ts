import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SELF = 'test/architecture/steady-tests.test.ts';
const sources = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => join('test', file))
  .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.startsWith('test/bench/') && file !== SELF)
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

/** What these files compute once stays right however late its tests run. */
const DATED_AT_LOAD = [
  // Rows of the last days, which every window of a fetch contains, even when midnight has passed.
  'test/integration/refresh/malformed-answers.test.ts',
  'test/integration/sources/incomplete-answers.test.ts',
  'test/integration/sources/unreported.test.ts',
  'test/workflows/database-work.test.ts',
  // Hours of a day two months ago, in its own database.
  'test/e2e/link-sessions/list-link-sessions.test.ts',
];

describe('A test', () => {
  it('measures the memory in use after a collection (live-memory.ts), not the resident size', () => {
    expect(filesWith(/memoryUsage(\(\)\.rss|\.rss\(\))|VmRSS/)).toEqual([]);
  });

  it('computes dates while it runs, not when its file is loaded: midnight may pass in between', () => {
    const atLoad = /^(export )?(const|let) \w+(: \w+)? = (?!.*=>).*(new Date\(\)|Date\.now\(\))/m;
    expect(filesWith(atLoad).sort()).toEqual([...DATED_AT_LOAD].sort());
  });

  it('sets no upper bound to elapsed time but a timer of the service (sooner-than.ts)', () => {
    const bound = /expect\([^;]*\b(Date|performance)\.now\(\) -[^;]*\)\s*\.toBeLess/;
    expect(filesWith(bound)).toEqual(['test/support/assertions/sooner-than.ts']);
  });
});
