import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unlessCurrent } from './cache.mjs';
import { compressPages } from './compress-pages.mjs';
import { ROOT, runNode } from './process.mjs';

const CONFIG = 'apps/console/vite.config.ts';
const INPUTS = [
  'apps/console',
  'apps/connect/src/styles/tokens.css',
  'packages/connect-js/src',
  'package.json',
  'package-lock.json',
  'tools/compress-pages.mjs',
];
const VITE = 'node_modules/vite/bin/vite.js';

const FOLDER = 'dist/apps/console';
/** Loads the other files, whose names hold a hash of their content. */
const PAGE = `${FOLDER}/index.html`;

/** Builds the page of the console into dist/apps/console, only after a change. @returns whether it exists */
export function buildConsole({ quiet = false } = {}) {
  return unlessCurrent('console', { inputs: INPUTS, outputs: [PAGE] }, async () => {
    // A production install has no bundler, and uses files that were built elsewhere.
    if (!existsSync(join(ROOT, VITE))) return existsSync(join(ROOT, PAGE));
    if (!quiet) process.stdout.write('Building the console …\n');
    const { status, output } = await runNode(
      [VITE, 'build', '--config', CONFIG, '--logLevel', 'warn'],
      // A test run sets another value, which would include React's development checks.
      { NODE_ENV: 'production' },
    );
    if (status !== 0) {
      process.stderr.write(output);
      return false;
    }
    await compressPages(join(ROOT, FOLDER));
    return true;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await buildConsole({ quiet: process.argv.includes('--quiet') })) ? 0 : 1;
}
