import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_TYPES } from './build-node-types.mjs';
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
/** Never published: the package that uses one contains a copy. */
const INCLUDED = {
  'packages/connect-js': 'packages/connect-protocol/src',
  'clients/cli': 'clients/terminal/src',
};
/** Its types are those of the document of the API. */
const NODE_CLIENT = 'clients/node';
const DOCUMENT = 'docs/openapi.json';
const BUNDLE = 'vite.config.ts';
const FORMATS = { esm: 'tsconfig.json', cjs: 'tsconfig.cjs.json' };

/**
 * Compiles the published packages, libraries as ES modules and as CommonJS with types for both, only as far as they
 * changed.
 * @returns whether there were no type errors
 */
export async function buildPackages({ quiet = false } = {}) {
  const inputs = ['packages/tsconfig.base.json'];
  // An image of the service is built without them, or with some of their folders.
  const isWhole = (folder) => existsSync(join(ROOT, folder, 'package.json'));
  for (const folder of PACKAGES.filter(isWhole)) {
    if (!(await generate(folder))) return false;
    const formats = formatsOf(folder);
    const own = ['src', 'package.json', BUNDLE, ...formats.map((format) => FORMATS[format])];
    inputs.push(...own.map((path) => `${folder}/${path}`));
    if (folder in INCLUDED) inputs.push(INCLUDED[folder]);
    // The last file that a build without errors writes.
    const outputs = [`${folder}/dist/${formats.at(-1)}/package.json`];
    const build = () => compile(folder, quiet);
    if (!(await unlessCurrent(basename(folder), { inputs, outputs }, build))) return false;
  }
  return true;
}

/** Writes the sources that are not committed. @returns true */
function generate(folder) {
  const isClient = folder === NODE_CLIENT;
  const { version } = readJson(`${folder}/package.json`);
  const files = {
    'version.ts': () => `export const version = '${version}';\n`,
    ...(isClient ? NODE_TYPES : {}),
  };
  const outputs = Object.keys(files).map((name) => `${folder}/src/generated/${name}`);
  const inputs = [`${folder}/package.json`];
  const generator = [
    'tools/build-node-types.mjs',
    'tools/open-lists.mjs',
    'node_modules/@hey-api/openapi-ts/package.json',
  ];
  if (isClient) inputs.push(DOCUMENT, ...generator);
  return unlessCurrent(`${basename(folder)}-generated`, { inputs, outputs }, async () => {
    // An image of the service is built without the document.
    const document = isClient ? readJson(DOCUMENT) : undefined;
    mkdirSync(join(ROOT, folder, 'src/generated'), { recursive: true });
    for (const [name, contentOf] of Object.entries(files))
      writeFileSync(join(ROOT, folder, 'src/generated', name), await contentOf(document));
    return true;
  });
}

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

async function compile(path, quiet) {
  const folder = join(ROOT, path);
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const pretty = ['--pretty', String(process.stdout.isTTY === true)];
  const formats = formatsOf(path);
  const compiler = 'node_modules/typescript-7/bin/tsc';
  const results = await Promise.all([
    ...formats.map((format) => runNode([compiler, '-p', join(folder, FORMATS[format]), ...pretty])),
    // Its code is bundled, and the compiler writes the types alone.
    ...(existsSync(join(folder, BUNDLE)) ? [bundle(join(path, BUNDLE))] : []),
  ]);
  const failed = results.find(({ status }) => status !== 0);
  if (failed !== undefined) {
    process.stderr.write(failed.output);
    return false;
  }
  // The package declares "module"; files below the folder of CommonJS are not modules.
  const last = formats.at(-1);
  const type = last === 'cjs' ? 'commonjs' : 'module';
  writeFileSync(join(folder, 'dist', last, 'package.json'), `{ "type": "${type}" }\n`);
  if (!quiet) process.stdout.write(`Built ${path}.\n`);
  return true;
}

const bundle = (config) =>
  runNode(['node_modules/vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn'], {
    NODE_ENV: 'production',
  });

/** A program is compiled as ES modules alone. */
function formatsOf(folder) {
  return Object.keys(FORMATS).filter((format) => existsSync(join(ROOT, folder, FORMATS[format])));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await buildPackages({ quiet: process.argv.includes('--quiet') })) ? 0 : 1;
}
