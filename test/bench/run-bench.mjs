import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../tools/build.mjs';
import { ROOT } from '../../tools/process.mjs';
import { recordFigures } from './record-figures.mjs';
import { findClusterPrograms } from '../support/cluster/cluster-programs.mjs';
import { startServices } from '../support/services/start-services.mjs';

// node test/bench/run-bench.mjs [name…] [--rounds N] [--json FILE] [--record]
// Runs test/bench/<name>.bench.ts, all of them but `sizing` when none is named, each in a process of its own on real
// servers. --record writes the figures into docs/performance.md.
const KNOWN = readdirSync(new URL('./', import.meta.url))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .sort();

/** Has a Temporal cluster of its own. */
const SIZING = 'sizing';

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('--'));
const names = firstOption === -1 ? args : args.slice(0, firstOption);
const given = firstOption === -1 ? [] : args.slice(firstOption);
const options = given.filter((option) => option !== '--record');
const records = given.length !== options.length;
const reports = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
const unknown = names.filter((name) => !KNOWN.includes(name));
if (unknown.length > 0) {
  process.stderr.write(
    `No bench is called ${unknown.join(', ')}. There are: ${KNOWN.join(', ')}.\n`,
  );
  process.exit(2);
}

/** Megabytes. A garbage collection of the measuring process would count as 120 ms of the service. */
const ROOM = ['--initial-old-space-size=1024', '--no-memory-reducer'];

let services;
let running;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    running?.kill('SIGTERM');
    void Promise.resolve(services?.stop()).finally(() => process.exit(1));
  });
}

let status = 0;
try {
  if (!(await build())) throw new Error('The build failed; nothing was measured.');
  // As in production: committed data is on the disk.
  const chosen = names.length > 0 ? names : KNOWN.filter((name) => name !== SIZING);
  if (chosen.some((name) => name !== SIZING)) services = await startServices({ durable: true });
  for (const name of chosen) {
    process.stdout.write(`\n${name}\n`);
    status = (await (name === SIZING ? runSizing() : run(name))) || status;
  }
  if (records && status === 0) recordFigures(readReports());
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  status = 1;
} finally {
  await services?.stop();
}
process.exit(status);

async function runSizing() {
  const { env, missing } = await findClusterPrograms();
  if (missing === undefined) return run(SIZING, env);
  process.stderr.write(`SKIPPED: ${missing}\n`);
  return 0;
}

function readReports() {
  return readdirSync(reports).map((file) => JSON.parse(readFileSync(join(reports, file), 'utf8')));
}

function run(name, env = services.env) {
  running = spawn(
    process.execPath,
    [
      ...ROOM,
      '--disable-warning=ExperimentalWarning',
      '--import',
      '@swc-node/register/esm-register',
      `test/bench/${name}.bench.ts`,
      ...options,
      ...(records ? ['--json', join(reports, `${name}.json`)] : []),
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...env, NODE_ENV: 'production' },
    },
  );
  return new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('close', (code) => resolve(code ?? 1));
  });
}
