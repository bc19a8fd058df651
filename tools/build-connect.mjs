import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unlessCurrent } from './cache.mjs';
import { compressPages } from './compress-pages.mjs';
import { ROOT, runNode } from './process.mjs';

/** The hosted app, and the script that lets pages made for Plaid open it. The first one empties the folder. */
const CONFIGS = ['apps/connect/vite.config.ts', 'packages/plaid-link/vite.config.ts'];
const INPUTS = [
  'apps/connect',
  'packages/connect-protocol',
  'packages/plaid-link',
  'packages/connect-js/src',
  'package.json',
  'package-lock.json',
  'tools/compress-pages.mjs',
];
const VITE = 'node_modules/vite/bin/vite.js';

const FOLDER = 'dist/apps/connect';
/** Loads the other files, whose names hold a hash of their content. */
const PAGE = `${FOLDER}/index.html`;

/** Builds the files for browsers into dist/apps/connect, only after a change. @returns whether they exist */
export function buildConnect({ quiet = false } = {}) {
  return unlessCurrent('connect', { inputs: INPUTS, outputs: [PAGE] }, async () => {
    // A production install has no bundler, and uses files that were built elsewhere.
    if (!existsSync(join(ROOT, VITE))) return existsSync(join(ROOT, PAGE));
    if (!quiet) process.stdout.write('Building Connect …\n');
    for (const config of CONFIGS) {
      const { status, output } = await runNode(
        [VITE, 'build', '--config', config, '--logLevel', 'warn'],
        // A test run sets another value, which would include React's development checks.
        { NODE_ENV: 'production' },
      );
      if (status === 0) continue;
      process.stderr.write(output);
      return false;
    }
    await compressPages(join(ROOT, FOLDER));
    return true;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await buildConnect({ quiet: process.argv.includes('--quiet') })) ? 0 : 1;
}
