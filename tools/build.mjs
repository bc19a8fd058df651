import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackages } from './build-packages.mjs';
import { filesBelow, unlessCurrent, withLock } from './cache.mjs';
import { ROOT, runNode } from './process.mjs';

const SOURCES = [
  ...['domain', 'providers', 'prisma', 'activities', 'workflows', 'simulators', 'apps'],
  // The frame of apps/operator.
  'clients/terminal/src',
];
const ASSETS =
  /^(prisma\/(schema\.prisma$|migrations\/|(?!generated\/).+\.sql$)|apps\/api\/src\/openapi\/examples\/|simulators\/.+\.png$)/;
/** The apps that Vite builds. */
const PAGES = /^apps\/(connect|console)\//;
/** Built beside the rest: those by Vite, the others from the compiled files. */
const OTHERS =
  /^dist\/(apps\/(connect|console)\/|\.tsbuildinfo(-early)?$|workflow-bundle\.js|build\.json$|sbom\.cdx\.json$)/;
const BUILD_INFO = join(ROOT, 'dist/.tsbuildinfo');
const BUNDLER = 'dist/apps/worker/src/temporal/bundle-main.js';
const BUNDLE = 'dist/workflow-bundle.js';
const BUILD_NOTE = 'dist/build.json';
const BUILD_DIGITS = 12;
const CLIENT = {
  inputs: ['prisma/schema.prisma', 'node_modules/@prisma/client/package.json'],
  outputs: ['prisma/generated/client.ts'],
};

/** Builds the imports of the sources: the packages and the database client. @returns whether the packages have no errors */
export async function prepare({ quiet = false } = {}) {
  const packagesAreSound = await buildPackages({ quiet });
  await unlessCurrent('client', CLIENT, generateClient);
  return packagesAreSound;
}

/** Compiles only the searches for servers, which may take minutes: before everything else. @returns whether they can begin */
export async function buildSearches() {
  const { outputs } = compiledFiles();
  const { status } = await withLock('build', () => runCompiler('tsconfig.early.json', outputs));
  return status === 0;
}

/**
 * Begins the search for the Temporal server, which continues while the rest is built.
 * @returns `program`, the promise of its path; undefined where the service needs none of its own
 */
export async function beginTemporalSearch() {
  // The build of the rest reports the errors.
  if (!(await buildSearches())) return { program: undefined };
  const { beginSearch } = await import('../dist/apps/standalone/src/service/early-search.js');
  return { program: beginSearch(process.env) };
}

/**
 * Compiles the processes into dist, as far as they changed.
 * @param types false skips the type check, which is most of the work
 * @returns whether there were no errors; compilable files are written either way
 */
export async function build({ quiet = false, types = true } = {}) {
  const packagesAreSound = await prepare({ quiet });
  const compiled = await withLock('build', () => compile({ quiet, types }));
  return compiled && packagesAreSound;
}

async function generateClient() {
  const { status, output } = await runNode(['node_modules/prisma/build/index.js', 'generate'], {
    // Generating needs no engine; naming one keeps Prisma from downloading it.
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
  if (status !== 0) throw new Error(`The database client could not be generated:\n${output}`);
  return true;
}

async function compile({ quiet, types }) {
  const { sources, outputs } = compiledFiles();
  const before = modifiedAt(BUILD_INFO);
  const compiled = await runCompiler('tsconfig.build.json', outputs, types ? [] : ['--noCheck']);
  // After a failure, nothing is removed: sources may be missing by mistake.
  if (compiled.status === 0) removeStale(outputs);
  else process.stderr.write(compiled.output);
  for (const asset of sources.filter((file) => ASSETS.test(file)))
    cpSync(join(ROOT, asset), join(ROOT, 'dist', asset));
  const bundle = join(ROOT, BUNDLE);
  const isCurrent = modifiedAt(BUILD_INFO) === before && existsSync(join(ROOT, BUILD_NOTE));
  if (existsSync(bundle) && isCurrent) return compiled.status === 0;
  if (!quiet) process.stdout.write('Compiled; bundling the workflows.\n');
  // Without it, the next start would run the workflows of the previous build.
  rmSync(bundle, { force: true });
  const bundled = await runNode([BUNDLER, bundle]);
  if (bundled.status !== 0) process.stderr.write(bundled.output);
  noteBuild([...outputs, BUNDLE]);
  return compiled.status === 0 && bundled.status === 0;
}

function compiledFiles() {
  const sources = SOURCES.flatMap(filesBelow).filter((file) => !PAGES.test(file));
  return { sources, outputs: new Set(sources.flatMap(outputOf)) };
}

function runCompiler(project, outputs, options = []) {
  return runNode([
    'node_modules/typescript-7/bin/tsc',
    '--build',
    project,
    ...options,
    // The compiler relies on its record of written files, even after a file was deleted.
    ...([...outputs].every((file) => existsSync(join(ROOT, file))) ? [] : ['--force']),
    ...(process.stdout.isTTY ? ['--pretty'] : []),
  ]);
}

/** The build in log lines and in the build id of workers: the version, and a hash of the compiled code. */
function noteBuild(files) {
  const hash = createHash('sha256');
  for (const file of files.filter((name) => existsSync(join(ROOT, name))).sort())
    hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const build = hash.digest('hex').slice(0, BUILD_DIGITS);
  writeFileSync(join(ROOT, BUILD_NOTE), `${JSON.stringify({ version, build })}\n`);
}

function outputOf(source) {
  if (/(?<!\.d)\.ts$/.test(source)) return [`dist/${source.replace(/\.ts$/, '.js')}`];
  return ASSETS.test(source) ? [`dist/${source}`] : [];
}

/** A renamed or deleted file must not remain in dist: the folder of a migration would be applied. */
function removeStale(outputs) {
  const stale = filesBelow('dist').filter(
    (file) => !OTHERS.test(file) && !outputs.has(file.replace(/\.map$/, '')),
  );
  for (const file of stale) rmSync(join(ROOT, file), { force: true });
  const kept = join(ROOT, 'dist/prisma/migrations');
  const isStale = (name) => !existsSync(join(ROOT, 'prisma/migrations', name));
  for (const name of existsSync(kept) ? readdirSync(kept).filter(isStale) : [])
    rmSync(join(kept, name), { recursive: true });
}

const modifiedAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await build({ quiet: process.argv.includes('--quiet') })) ? 0 : 1;
}
