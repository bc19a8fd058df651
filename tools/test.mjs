import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, prepare } from './build.mjs';
import { buildConnect } from './build-connect.mjs';
import { checkSources, runChecks } from './check.mjs';
import { startServices } from './services.mjs';

// node tools/test.mjs                       checks and every level
// node tools/test.mjs all                   the same, and the long runs
// node tools/test.mjs unit e2e [path…] [--grep NAME] [Vitest options]   some levels, or some files of them
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const LEVELS = [
  'unit',
  'architecture',
  'conformance',
  'integration',
  'workflows',
  'sdk',
  'compat',
  'e2e',
  'browser',
];
// Generous: a busy computer must not fail a test, and a hanging one is still ended.
const TEST_WITHIN_MS = { alone: 30_000, withServices: 300_000 };
/** As many of a level's files are named with the time they took. */
const SLOWEST = 10;
/** What `all` sets where nothing else is given: the files `*.long.test.ts`, and how long the runs take that search for rare orders of events. */
const LONG_RUNS = { LONG_RUNS: '1', SYNC_PROPERTY_SECONDS: '60', FUZZ_CASES: '1000' };
const WITHOUT_SERVICES = new Set(['unit', 'architecture', 'sdk']);

const { levels, options, everything, longRuns, namesFiles } = readArguments(process.argv.slice(2));
const totals = { passed: 0, failed: 0, skipped: 0 };
let services;
let sources;
let running;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    if (running?.pid !== undefined) endGroup(running.pid);
    void Promise.resolve(services?.stop()).finally(() => process.exit(1));
  });
}

try {
  // What is wrong with the types is found beside everything else.
  if (everything && (await prepare())) {
    sources = checkSources();
    // Whoever waits for it hears of it.
    sources.catch(() => undefined);
  }
  if (
    !(await build({ types: !everything })) ||
    (levels.includes('browser') && !(await buildConnect()))
  ) {
    totals.failed += 1;
    process.stderr.write(
      'The build has errors, which count as one failure; the tests run with what could be compiled.\n',
    );
  }
  if (everything || levels.some((level) => !WITHOUT_SERVICES.has(level)))
    services = await startServices();
  await Promise.all([...(everything ? [check()] : []), runLevels()]);
} catch (error) {
  process.stderr.write(`${error.name === 'StartFailure' ? error.message : error.stack}\n`);
  totals.failed += 1;
} finally {
  await services?.stop();
}
if (everything && !longRuns)
  process.stdout.write(
    `\n${countLongRuns()} files of long runs are left out; npm run test:all has them.\n`,
  );
process.stdout.write(
  `\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`,
);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);

async function check() {
  heading('check, beside the tests');
  add(
    await runChecks({
      databaseUrl: services.env.TEST_DATABASE_URL,
      sources: sources ?? checkSources(),
    }),
  );
}

/** One run of Vitest, whose workers take the next file of any level: whatever waits leaves the processor to others. */
async function runLevels() {
  const chosen = levels.filter(hasTests);
  if (chosen.length === 0) return;
  heading(chosen.join(', '));
  add(await runTogether(chosen));
}

async function runTogether(chosen) {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-tests-'));
  try {
    const report = join(folder, 'report.json');
    const within = chosen.every((level) => WITHOUT_SERVICES.has(level))
      ? TEST_WITHIN_MS.alone
      : TEST_WITHIN_MS.withServices;
    const status = await runVitest(chosen, within, [
      ...options,
      '--reporter',
      'default',
      '--reporter',
      'json',
      '--outputFile',
      report,
    ]);
    return countTests(chosen, status, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runVitest(chosen, within, args) {
  running = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // A group of its own, which ends as a whole: its workers would outlive it.
    detached: true,
    env: {
      ...(longRuns ? LONG_RUNS : {}),
      ...(namesFiles ? { LONG_RUNS: '1' } : {}),
      ...process.env,
      ...services?.env,
      TEST_LEVELS: chosen.join(','),
      TEST_WITHIN_MS: String(within),
    },
  });
  return new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('close', resolve);
  });
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function countTests(chosen, status, report) {
  const names = chosen.join(', ');
  if (!existsSync(report))
    return failure(`${names}: the test runner ended with status ${status} and no report`);
  const result = JSON.parse(readFileSync(report, 'utf8'));
  const counts = {
    passed: result.numPassedTests,
    // A file that cannot be loaded has no tests that could fail.
    failed:
      result.numFailedTests +
      result.testResults.filter(
        ({ status: ended, assertionResults }) =>
          ended === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
      ).length,
    skipped: result.numPendingTests + result.numTodoTests,
  };
  process.stdout.write(`\n  ${names} took ${seconds(Date.now() - result.startTime)}\n`);
  for (const level of chosen) {
    const files = result.testResults.filter(({ name }) =>
      relative(ROOT, name).startsWith(join('test', level) + sep),
    );
    // A level that runs nothing proves nothing.
    if (files.length === 0 && !namesFiles) counts.failed += failure(`${level}: no test ran`).failed;
    nameSlowest(level, files);
  }
  if (counts.passed + counts.failed === 0) return failure(`${names}: no test ran`);
  // A runner that fails without a failed test hides why.
  if (status !== 0 && counts.failed === 0)
    return failure(`${names}: the test runner ended with status ${status}`, counts);
  return counts;
}

function nameSlowest(level, testResults) {
  const files = testResults
    .map((file) => ({ name: relative(ROOT, file.name), took: file.endTime - file.startTime }))
    .sort((a, b) => b.took - a.took);
  if (files.length === 0) return;
  process.stdout.write(
    `  ${level}: ${files.length} files, ${seconds(files.reduce((sum, { took }) => sum + took, 0))} one after the other${files.length > SLOWEST ? ', the slowest' : ''}\n`,
  );
  for (const { name, took } of files.slice(0, SLOWEST))
    process.stdout.write(`  ${seconds(took).padStart(8)}  ${name}\n`);
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function failure(message, counts = {}) {
  process.stderr.write(`${message}\n`);
  return { ...counts, failed: (counts.failed ?? 0) + 1 };
}

function readArguments(args) {
  const known = args.filter((arg) => LEVELS.includes(arg));
  const rest = args.filter((arg) => !LEVELS.includes(arg) && arg !== 'all' && arg !== '--');
  return {
    levels: known.length > 0 ? known : LEVELS,
    options: rest.map((arg) => (arg === '--grep' ? '-t' : arg)),
    everything: args.length === 0 || args[0] === 'all',
    longRuns: args[0] === 'all',
    namesFiles: rest.length > 0 && !rest[0].startsWith('-'),
  };
}

function countLongRuns() {
  return readdirSync(join(ROOT, 'test'), { recursive: true }).filter((file) =>
    file.endsWith('.long.test.ts'),
  ).length;
}

function hasTests(level) {
  const folder = join(ROOT, 'test', level);
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true }).some((file) => file.endsWith('.test.ts'))
  );
}

function add(counts) {
  for (const name of Object.keys(totals)) totals[name] += counts[name] ?? 0;
}

function heading(text) {
  process.stdout.write(`\n${text}\n`);
}
