import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unlessCurrent } from './cache.mjs';
import { ROOT, runNode } from './process.mjs';

/** In the order of their dependencies. */
const PACKAGES = [
  'packages/connect-js',
  'packages/connect-react',
  'clients/node',
  'clients/cli',
  'clients/mcp',
];
/** Never published: a package that uses it contains a copy. */
const PROTOCOL = 'connect-protocol';
const TERMINAL = 'clients/terminal/src';
const FORMATS = { esm: 'tsconfig.json', cjs: 'tsconfig.cjs.json' };

/**
 * Compiles the published packages, libraries as ES modules and as CommonJS with types for both, only as far as they
 * changed.
 * @returns whether there were no type errors
 */
export async function buildPackages({ quiet = false } = {}) {
  const inputs = ['packages/tsconfig.base.json', `packages/${PROTOCOL}/src`, TERMINAL];
  // An image of the service is built without them, or with some of their folders.
  const isWhole = (folder) => existsSync(join(ROOT, folder, 'package.json'));
  for (const folder of PACKAGES.filter(isWhole)) {
    const formats = formatsOf(folder);
    const own = ['src', 'package.json', ...formats.map((format) => FORMATS[format])];
    inputs.push(...own.map((path) => `${folder}/${path}`));
    // The last file that a build without errors writes.
    const outputs = [`${folder}/dist/${formats.at(-1)}/package.json`];
    const build = () => compile(folder, quiet);
    if (!(await unlessCurrent(basename(folder), { inputs, outputs }, build))) return false;
  }
  return true;
}

async function compile(path, quiet) {
  const folder = join(ROOT, path);
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const pretty = ['--pretty', String(process.stdout.isTTY === true)];
  const formats = formatsOf(path);
  const results = await Promise.all(
    formats.map((format) =>
      runNode([
        'node_modules/typescript-7/bin/tsc',
        '-p',
        join(folder, FORMATS[format]),
        ...pretty,
      ]),
    ),
  );
  const failed = results.find(({ status }) => status !== 0);
  if (failed !== undefined) {
    process.stderr.write(failed.output);
    return false;
  }
  for (const format of formats) includeProtocol(join(folder, 'dist', format), basename(path));
  // The package declares "module"; files below the folder of CommonJS are not modules.
  const last = formats.at(-1);
  const type = last === 'cjs' ? 'commonjs' : 'module';
  writeFileSync(
    join(folder, 'dist', last, 'package.json'),
    `{ "type": "${type}" }
`,
  );
  if (!quiet) process.stdout.write(`Built ${path}.\n`);
  return true;
}

/** A program is compiled as ES modules alone. */
function formatsOf(folder) {
  return Object.keys(FORMATS).filter((format) => existsSync(join(ROOT, folder, FORMATS[format])));
}

/**
 * Creates one flat folder from the compiled files of two packages, the protocol's files as
 * `protocol-*`.
 */
function includeProtocol(folder, name) {
  if (!existsSync(join(folder, PROTOCOL))) return;
  const prefix = './protocol-';
  const flatten = (each, place, change) => {
    const compiled = join(folder, each, 'src');
    for (const file of readdirSync(compiled)) {
      const code = readFileSync(join(compiled, file), 'utf8');
      writeFileSync(join(folder, place + file), change(code));
    }
    rmSync(join(folder, each), { recursive: true });
  };
  flatten(PROTOCOL, prefix, (code) =>
    code.replace(/(?<=\bfrom |\brequire\()(['"])\.\//g, `$1${prefix}`),
  );
  flatten(name, '', (code) => code.replaceAll(`../../${PROTOCOL}/src/`, prefix));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await buildPackages({ quiet: process.argv.includes('--quiet') })) ? 0 : 1;
}
