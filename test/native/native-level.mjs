import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { unlessCurrent } from '../../tools/cache.mjs';
import { buildPackages } from '../../tools/build-packages.mjs';
import { ROOT, runNode } from '../../tools/process.mjs';

const FOLDER = 'packages/connect-react-native';
const FORMATS = { esm: 'tsconfig.json', cjs: 'tsconfig.cjs.json' };

/**
 * Level `native`: the tests of the React Native package, in its own folder. They need exactly the React of React Native
 * and the Jest of its preset, which are installed into that folder first. @returns { passed, failed, skipped }
 * @param grep a regular expression that the names of tests match
 */
export async function runNativeLevel({ grep } = {}) {
  if (!(await buildNative()))
    return fail('The React Native package could not be installed and built.');
  const folder = mkdtempSync(join(tmpdir(), 'tributary-native-'));
  const file = join(folder, 'report.json');
  try {
    const names = grep === undefined ? [] : ['-t', grep];
    const args = ['node_modules/jest/bin/jest.js', '--json', '--outputFile', file, ...names];
    const { status, output } = await run(process.execPath, args);
    if (status !== 0) process.stderr.write(output);
    if (!existsSync(file)) return fail(`Jest ended with status ${status} and no report`);
    return countsOf(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsOf(report) {
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  if (counts.passed + counts.failed === 0) counts.failed = 1;
  process.stdout.write(
    `\n  native: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
  );
  return counts;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  return { passed: 0, failed: 1, skipped: 0 };
}

/**
 * Installs the development dependencies of the package, and compiles it as ES modules and as
 * CommonJS.
 * @returns true if that worked
 */
export async function buildNative() {
  if (!(await buildPackages({ quiet: true })) || !(await install())) return false;
  const own = ['src', 'package.json', ...Object.values(FORMATS)];
  const inputs = [
    'packages/tsconfig.base.json',
    'packages/connect-js/src',
    ...own.map((path) => `${FOLDER}/${path}`),
  ];
  const outputs = Object.keys(FORMATS).map((format) => `${FOLDER}/dist/${format}/index.js`);
  return unlessCurrent('connect-react-native', { inputs, outputs }, compile);
}

async function compile() {
  rmSync(join(ROOT, FOLDER, 'dist'), { recursive: true, force: true });
  const results = await Promise.all(
    Object.values(FORMATS).map((config) =>
      runNode(['node_modules/typescript-7/bin/tsc', '-p', join(FOLDER, config)]),
    ),
  );
  for (const { status, output } of results) if (status !== 0) process.stderr.write(output);
  // The package declares "module", but the files below this folder are CommonJS.
  writeFileSync(join(ROOT, FOLDER, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
  return results.every(({ status }) => status === 0);
}

function install() {
  const inputs = ['package.json', 'package-lock.json'].map((file) => `${FOLDER}/${file}`);
  const outputs = [`${FOLDER}/node_modules/react-native/package.json`];
  return unlessCurrent('connect-react-native-dependencies', { inputs, outputs }, async () => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const { status, output } = await run(npm, [
      'ci',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
    if (status !== 0) process.stderr.write(output);
    return status === 0;
  });
}

async function run(file, args, env = {}) {
  const child = spawn(file, args, {
    cwd: join(ROOT, FOLDER),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const status = new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
  const output = await text(child.stderr);
  return { status: await status, output };
}
