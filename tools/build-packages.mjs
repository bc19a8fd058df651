import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { withLock } from './lock.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/tributary');
/** In the order they need each other. */
const PACKAGES = ['connect-js', 'connect-react'];
/** Never published: a package that uses it contains a copy. */
const PROTOCOL = 'connect-protocol';
const FORMATS = [
  ['esm', 'tsconfig.json'],
  ['cjs', 'tsconfig.cjs.json'],
];

/**
 * Compiles the published packages, each as ES modules and as CommonJS with types for both, only as far as something changed.
 * @returns whether there were no type errors
 */
export async function buildPackages({ quiet = false } = {}) {
  const say = (line) => {
    if (!quiet) process.stdout.write(`${line}\n`);
  };
  mkdirSync(CACHE, { recursive: true });
  return withLock(join(CACHE, 'packages.lock'), async () => {
    let upstream = '';
    // An image of the service is built without them.
    for (const name of PACKAGES.filter((each) => existsSync(join(ROOT, 'packages', each)))) {
      const stamp = upstream + fingerprint(name);
      if (!isCurrent(name, stamp)) {
        if (!(await compile(name))) return false;
        writeFileSync(stampFile(name), stamp);
        say(`Built packages/${name}: ${size(name)}.`);
      }
      upstream = stamp;
    }
    return true;
  });
}

async function compile(name) {
  const folder = join(ROOT, 'packages', name);
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const results = await Promise.all(
    FORMATS.map(([, config]) =>
      tsc(['-p', join(folder, config), '--pretty', String(process.stdout.isTTY === true)]),
    ),
  );
  // The package says "module"; what is below this folder is not.
  writeFileSync(join(folder, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
  const failed = results.find(({ status }) => status !== 0);
  if (failed !== undefined) process.stderr.write(failed.output);
  else for (const [format] of FORMATS) includeProtocol(join(folder, 'dist', format), name);
  return failed === undefined;
}

/**
 * Makes one flat folder of what was compiled from two packages, the protocol's files as
 * `protocol-*`.
 */
function includeProtocol(folder, name) {
  const compiled = (each) => join(folder, each, 'src');
  if (!existsSync(compiled(name))) return;
  const prefix = './protocol-';
  for (const file of readdirSync(compiled(PROTOCOL))) {
    const path = join(compiled(PROTOCOL), file);
    const code = readFileSync(path, 'utf8').replace(
      /(?<=\bfrom |\brequire\()(['"])\.\//g,
      `$1${prefix}`,
    );
    writeFileSync(join(folder, prefix + file), code);
  }
  for (const file of readdirSync(compiled(name))) {
    const path = join(compiled(name), file);
    const code = readFileSync(path, 'utf8').replaceAll(`../../${PROTOCOL}/src/`, prefix);
    writeFileSync(join(folder, file), code);
  }
  for (const each of [PROTOCOL, name]) rmSync(join(folder, each), { recursive: true });
}

function tsc(args) {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args], {
    cwd: ROOT,
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}

/** Of the code a bundler takes, its imports not counted. */
function size(name) {
  const folder = join(ROOT, 'packages', name, 'dist/esm');
  const code = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(folder, file)));
  const bytes = Buffer.concat(code);
  return `${(bytes.length / 1000).toFixed(1)} kB, ${(gzipSync(bytes).length / 1000).toFixed(1)} kB compressed, before minifying`;
}

function fingerprint(name) {
  const folder = join(ROOT, 'packages', name);
  const files = [
    'package.json',
    'tsconfig.json',
    'tsconfig.cjs.json',
    '../tsconfig.base.json',
    ...['src', `../${PROTOCOL}/src`].flatMap((sources) =>
      readdirSync(join(folder, sources))
        .sort()
        .map((file) => `${sources}/${file}`),
    ),
  ];
  return files
    .reduce(
      (hash, file) => hash.update(file).update(readFileSync(join(folder, file))),
      createHash('sha256'),
    )
    .digest('hex');
}

const stampFile = (name) => join(CACHE, `package-${name}.stamp`);
const isCurrent = (name, stamp) =>
  existsSync(stampFile(name)) &&
  readFileSync(stampFile(name), 'utf8') === stamp &&
  FORMATS.every(([format]) => existsSync(join(ROOT, 'packages', name, 'dist', format, 'index.js')));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await buildPackages({ quiet: process.argv.includes('--quiet') })) ? 0 : 1;
}
