import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/tributary');
/** The hosted app, and the script that lets pages made for Plaid open it. The first one empties the folder. */
const PARTS = [
  { config: 'apps/connect/vite.config.ts', sources: ['apps/connect', 'packages/connect-protocol'] },
  {
    config: 'packages/plaid-link/vite.config.ts',
    sources: ['packages/plaid-link', 'packages/connect-js/src'],
  },
];
const VITE = 'node_modules/vite/bin/vite.js';
const STAMP = join(CACHE, 'connect.stamp');

/** Where the app is built to: index.html and the files it loads, whose names hold a hash of their content. */
export const CONNECT_FILES = join(ROOT, 'dist/apps/connect');

/** Builds what browsers load from us into dist/apps/connect, only when something changed. @returns whether it is there */
export async function buildConnect({ quiet = false } = {}) {
  mkdirSync(CACHE, { recursive: true });
  return withLock(join(CACHE, 'connect.lock'), () => {
    const stamp = fingerprint();
    if (
      existsSync(join(CONNECT_FILES, 'index.html')) &&
      existsSync(STAMP) &&
      readFileSync(STAMP, 'utf8') === stamp
    )
      return true;
    // A production install has no bundler, and runs what was built elsewhere.
    if (!existsSync(join(ROOT, VITE))) return existsSync(join(CONNECT_FILES, 'index.html'));
    const started = Date.now();
    if (!quiet) process.stdout.write('Building Connect …\n');
    if (!PARTS.every(({ config }) => buildPart(config))) return false;
    writeFileSync(STAMP, stamp);
    if (!quiet)
      process.stdout.write(`Built Connect in ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
    return true;
  });
}

function buildPart(config) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [VITE, 'build', '--config', config, '--logLevel', 'warn'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      // A test run sets another one, and React would come with its development checks.
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status === 0;
}

function fingerprint() {
  const sources = PARTS.flatMap((part) => part.sources)
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
  return [...sources, 'package.json', 'package-lock.json']
    .reduce(
      (hash, path) => hash.update(path).update(readFileSync(join(ROOT, path))),
      createHash('sha256'),
    )
    .digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await buildConnect({ quiet: process.argv.includes('--quiet') })) ? 0 : 1;
}
