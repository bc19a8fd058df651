import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackages } from './build-packages.mjs';
import { withLock } from './lock.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/tributary');
const SOURCES = ['domain', 'providers', 'prisma', 'activities', 'workflows', 'apps'];
const ASSETS = /^prisma\/(schema\.prisma$|migrations\/|(?!generated\/).+\.sql$)/;
const WEB_APP = join('dist', 'apps', 'connect');
const BUILD_INFO = join('dist', '.tsbuildinfo');
const BUNDLER = join('dist', 'apps', 'worker', 'src', 'temporal', 'bundle-main.js');
const BUNDLE = join('dist', 'workflow-bundle.js');
const GENERATED = 'prisma/generated';

/** What the sources need before they can be read: the packages, and the database client. @returns whether the packages have no errors */
export async function prepare({ quiet = false } = {}) {
  mkdirSync(CACHE, { recursive: true });
  const packagesAreSound = await buildPackages({ quiet });
  await withLock(join(CACHE, 'build.lock'), () => generateClient(sayUnless(quiet)));
  return packagesAreSound;
}

/**
 * Generates the database client and compiles everything into dist, only as far as something changed.
 * @param types false where something else checks them, which is most of the work
 * @returns whether the sources had no errors; what could be compiled is written either way
 */
export async function build({ quiet = false, types = true } = {}) {
  const packagesAreSound = await prepare({ quiet });
  return (
    (await withLock(join(CACHE, 'build.lock'), () => compile(sayUnless(quiet), types))) &&
    packagesAreSound
  );
}

const sayUnless = (quiet) => (line) => {
  if (!quiet) process.stdout.write(`${line}\n`);
};

function generateClient(say) {
  const stamp = fingerprint(
    ['prisma/schema.prisma', 'node_modules/@prisma/client/package.json'],
    (path) => readFileSync(path),
  );
  if (isCurrent('client', stamp) && existsSync(join(ROOT, GENERATED, 'client.ts'))) return;
  say('Generating the database client …');
  // Generating needs no engine; naming one keeps Prisma from downloading it.
  const result = runTool('prisma/build/index.js', ['generate'], {
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
  if (result.status !== 0)
    throw new Error(`The database client could not be generated:\n${result.output}`);
  remember('client', stamp);
}

function compile(say, types) {
  const sources = SOURCES.flatMap((folder) => filesBelow(folder)).filter(
    (file) => !file.startsWith(join('apps', 'connect')),
  );
  const stamp = fingerprint(
    [...sources, 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    (path) => {
      const { mtimeMs, size } = statSync(path);
      return `${mtimeMs}:${size}`;
    },
  );
  const outputs = [...sources.flatMap(outputsOf), BUNDLE];
  const missing = outputs.filter((file) => !existsSync(join(ROOT, file)));
  if (
    (isCurrent('dist', stamp) || (!types && isCurrent('dist-unchecked', stamp))) &&
    missing.length === 0
  )
    return true;
  const started = Date.now();
  say('Compiling …');
  removeStale(new Set([...outputs, ...outputs.map((file) => `${file}.map`), BUILD_INFO]));
  // The compiler believes its notes about what it wrote, also when somebody deleted it since.
  if (missing.length > 0) rmSync(join(ROOT, BUILD_INFO), { force: true });
  const result = runTool('typescript/bin/tsc', [
    '-p',
    'tsconfig.build.json',
    '--noCheck',
    String(!types),
    '--pretty',
    String(process.stdout.isTTY === true),
  ]);
  for (const asset of sources.filter(isAsset)) cpSync(join(ROOT, asset), join(ROOT, 'dist', asset));
  // Whatever the types say: what runs next must not run the workflows of before.
  rmSync(join(ROOT, BUNDLE), { force: true });
  const failed = [result, run(join(ROOT, BUNDLER), [join(ROOT, BUNDLE)])].find(
    ({ status }) => status !== 0,
  );
  if (failed !== undefined) {
    process.stderr.write(failed.output);
    return false;
  }
  say(`Compiled in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
  rmSync(stampFile(types ? 'dist-unchecked' : 'dist'), { force: true });
  remember(types ? 'dist' : 'dist-unchecked', stamp);
  return true;
}

const isAsset = (source) => ASSETS.test(source);

function outputsOf(source) {
  if (/(?<!\.d)\.ts$/.test(source)) return [join('dist', source.replace(/\.ts$/, '.js'))];
  return isAsset(source) ? [join('dist', source)] : [];
}

/** A file that was renamed or deleted must not live on in dist. The web app is built beside it by other means. */
function removeStale(current) {
  for (const file of filesBelow('dist')) {
    if (current.has(file) || file.startsWith(WEB_APP)) continue;
    rmSync(join(ROOT, file), { force: true });
    // The folder of a renamed migration would be taken for one without its file.
    if (readdirSync(join(ROOT, dirname(file))).length === 0) rmdirSync(join(ROOT, dirname(file)));
  }
}

function runTool(script, args, env) {
  // Package exports hide the scripts, their package.json does not.
  const [name] = script.split('/');
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  return run(join(folder, script.slice(name.length + 1)), args, env);
}

function run(script, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

const filesBelow = (folder) =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/[\\/]node_modules[\\/]/.test(entry.parentPath))
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
        .sort()
    : [];

const fingerprint = (paths, content) =>
  paths
    .reduce(
      (hash, path) =>
        hash
          .update(path)
          .update(existsSync(join(ROOT, path)) ? content(join(ROOT, path)) : 'absent'),
      createHash('sha256'),
    )
    .digest('hex');

const stampFile = (name) => join(CACHE, `${name}.stamp`);
const isCurrent = (name, stamp) =>
  existsSync(stampFile(name)) && readFileSync(stampFile(name), 'utf8') === stamp;
const remember = (name, stamp) => writeFileSync(stampFile(name), stamp);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await build({ quiet: process.argv.includes('--quiet') })) ? 0 : 1;
}
