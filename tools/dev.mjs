import { spawn } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildConnect } from './build-connect.mjs';
import { buildConsole } from './build-console.mjs';
import { beginTemporalSearch, build } from './build.mjs';
import { ROOT } from './process.mjs';

// node tools/dev.mjs [--data-dir DIR] [--auto-ports]
// The whole service with PostgreSQL and Temporal, as `npm start` runs it; a change of the sources compiles them, and
// restarts the processes that run the changed folder. Types are not checked: that is for the editor and `npm run check`.
const ENTRY = 'dist/apps/standalone/src/main.js';
const SETTLED_AFTER_MS = 150;
/** The first match decides; a part that is not listed is not restarted. */
const RESTARTS = [
  [/^apps\/api\//, ['api']],
  [/^apps\/connect\/|^packages\//, ['api']],
  [/^simulators\//, ['sandbox_bank']],
  [/^apps\/(worker|webhooks)\/|^(workflows|activities)\//, ['worker', 'webhooks']],
  [/^(apps\/(standalone|platform)|prisma)\//, ['supervisor']],
  [/^(domain|providers)\//, ['api', 'worker', 'webhooks', 'sandbox_bank']],
];
const WATCHED = [
  'apps',
  'simulators',
  'packages',
  'domain',
  'providers',
  'prisma',
  'activities',
  'workflows',
];
const IGNORED = /(^|\/)(node_modules|dist|generated)\/|(~|\.swp|\.tsbuildinfo)$/;

const options = process.argv.slice(2);
const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } }, strict: false });
const dataDir = resolve(ROOT, values['data-dir'] || process.env.DATA_DIR || '.tributary');
const changed = new Set();
let service;
let working = true;
let timer;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    working = true;
    if (service === undefined) process.exit(1);
    service.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  });
process.once('exit', () => service?.kill('SIGTERM'));
for (const folder of WATCHED)
  watch(join(ROOT, folder), { recursive: true }, (_event, file) => {
    const path = `${folder}/${file ?? ''}`.replaceAll('\\', '/');
    if (IGNORED.test(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => void rebuild(), SETTLED_AFTER_MS);
  });

const { program: search } = await beginTemporalSearch();
if (!(await compile()))
  process.stderr.write('The build has errors; running what could be compiled.\n');
const temporal = await search?.catch(reportAndExit);
start();
working = false;
await rebuild();

function start() {
  service = spawn(process.execPath, ['--enable-source-maps', ENTRY, ...options], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...(temporal === undefined ? {} : { TEMPORAL_CLI_PATH: temporal }) },
  });
  service.once('exit', (code) => {
    if (service.restarts) start();
    else process.exit(code ?? 1);
  });
}

/** One build at a time; changes in the meantime are built right after. */
async function rebuild() {
  if (working || changed.size === 0) return;
  working = true;
  const paths = [...changed];
  changed.clear();
  const parts = new Set(
    paths.flatMap((path) => RESTARTS.find(([pattern]) => pattern.test(path))?.[1] ?? []),
  );
  process.stdout.write(`\nChanged: ${paths.join(', ')}\n`);
  if (await compile().catch(report)) restart(parts);
  working = false;
  await rebuild();
}

async function compile() {
  const builds = [
    build({ quiet: true, types: false }),
    buildConnect({ quiet: true }),
    buildConsole({ quiet: true }),
  ];
  return (await Promise.all(builds)).every(Boolean);
}

/** The supervisor restarts an ended part. */
function restart(parts) {
  if (parts.has('supervisor')) {
    service.restarts = true;
    service.kill('SIGTERM');
    return;
  }
  const description = join(dataDir, 'standalone.json');
  const { processes } = existsSync(description)
    ? JSON.parse(readFileSync(description, 'utf8'))
    : { processes: {} };
  const running = [...parts].filter((part) => processes[part] != null);
  process.stdout.write(`Restarting: ${running.join(', ')}\n`);
  for (const part of running) process.kill(processes[part], 'SIGTERM');
}

function reportAndExit(error) {
  report(error);
  process.exit(1);
}

function report(error) {
  process.stderr.write(`${error.message}\n`);
  return false;
}
