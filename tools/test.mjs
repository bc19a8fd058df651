import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findClusterPrograms } from '../test/support/cluster/cluster-programs.mjs';
import { startServices } from '../test/support/services/start-services.mjs';
import { buildConnect } from './build-connect.mjs';
import { buildConsole } from './build-console.mjs';
import { beginTemporalSearch, build, buildSearches, prepare } from './build.mjs';
import { runChecks } from './check.mjs';
import { ROOT } from './process.mjs';
import { runFiles } from './run-files.mjs';
import { runNativeLevel } from '../test/native/native-level.mjs';
import { runNodeVersions } from '../test/versions/node-versions.mjs';
import { runSwiftLevel } from '../test/swift/swift-level.mjs';
import { findSwift } from '../test/swift/swift.mjs';

// node tools/test.mjs                       checks and every level
// node tools/test.mjs all                   the same, with the long runs, and under other versions of Node
// node tools/test.mjs long [--shard=1/4]    the files of long runs alone, or a part of them
// node tools/test.mjs unit e2e [path…] [--grep NAME] [Jest options]   some levels, or some of their files
// --repeat-failed runs failed files once more, as the first three do
const INSTANT = ['unit', 'architecture', 'sdk'];
const SERVED = ['conformance', 'integration', 'workflows', 'compat', 'e2e', 'browser'];
/** Levels with a runner of their own: the SDKs for phones. */
const PHONES = { native: runNativeLevel, swift: runSwiftLevel };
/** On a Temporal cluster: only when named. */
const CLUSTER = 'cluster';
const LEVELS = [...INSTANT, ...SERVED, ...Object.keys(PHONES)];
const REPEAT = '--repeat-failed';
const NAMED_AS_SLOW = 10;
const MINUTE = 60_000;
const LONG_FILE = /\.long\.test\.ts$/;
/** Defaults of `all` and `long`: long runs, and the seeds and durations of searches for rare orders of events. */
const LONG_RUNS = {
  LONG_RUNS: '1',
  SYNC_PROPERTY_SECONDS: '60',
  FUZZ_CASES: '1000',
  FLOW_SERIES: '10000',
  SWAP_CASES: '2000',
  TEST_SEED: String(randomInt(2 ** 31)),
};

const args = process.argv.slice(2);
const isAll = args[0] === 'all';
const isLong = args[0] === 'long';
const isEverything = args.length === 0 || isAll;
const named = [...LEVELS, CLUSTER].filter((level) => args.includes(level));
const chosen = named.length > 0 ? named : isLong ? [...INSTANT, ...SERVED] : LEVELS;
let levels = chosen.filter((level) => !(level in PHONES));
const OWN = [...LEVELS, CLUSTER, 'all', 'long', REPEAT, '--'];
const options = args.filter((arg) => !OWN.includes(arg));
const namesFiles = options.length > 0 && !options[0].startsWith('-');
const needsServices = levels.some((level) => SERVED.includes(level));

const totals = { passed: 0, failed: 0, skipped: 0 };
/** Files that failed first, with the text of that failure. */
const passedWhenRepeated = [];
let services;
let cluster;
let clusterSearch;
let jest;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    // As a group: its workers and their processes end with it.
    if (jest?.pid !== undefined && jest.exitCode === null) process.kill(-jest.pid, 'SIGTERM');
    void Promise.resolve(services?.stop()).finally(() => process.exit(1));
  });

// Installing a compiler takes a minute of waiting, and the builds below need none of it.
if (chosen.includes('swift')) findSwift().catch(() => undefined);

try {
  // Servers may have to be built, which takes longer than everything below.
  if (needsServices) await beginTemporalSearch();
  if (levels.includes(CLUSTER)) await beginClusterSearch();
  const needsBuild = needsServices || levels.includes(CLUSTER);
  const builds = levels.length === 0 ? [] : needsBuild ? [build({ types: false })] : [prepare()];
  if (levels.includes('browser') || chosen.includes('native'))
    builds.push(buildConnect().then(async (isBuilt) => (await buildConsole()) && isBuilt));
  if ((await Promise.all(builds)).includes(false))
    fail('The build has errors; the tests run with what could be compiled.');
  if (needsServices) services = await startServices();
  if (levels.includes(CLUSTER)) await findCluster();
  await Promise.all([
    isEverything ? check() : undefined,
    levels.length > 0 ? runLevels() : undefined,
    // A path names files of the other levels.
    !namesFiles || levels.length === 0 ? runPhones() : undefined,
  ]);
  if (isAll) {
    const { TEMPORAL_CLI_PATH } = services.env;
    add(await runNodeVersions({ env: { TEMPORAL_CLI_PATH } }));
  }
} catch (error) {
  fail(error.name === 'StartFailure' ? error.message : error.stack);
} finally {
  // Checks the log lines of services that files shared.
  await services?.stop().catch((error) => fail(error.message));
}
for (const { name, text } of passedWhenRepeated)
  process.stdout.write(`\n${text}\npassed only when repeated: ${name}\n`);
if (isAll || isLong) {
  const { TEST_SEED } = { ...LONG_RUNS, ...process.env };
  process.stdout.write(`\nTEST_SEED=${TEST_SEED} repeats the random values of this run.\n`);
}
if (isEverything && !isAll) {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true });
  const long = files.filter((file) => LONG_FILE.test(file));
  process.stdout.write(`\n${long.length} long runs were left out; npm run test:all has them.\n`);
}
const { passed, failed, skipped } = totals;
process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
// Without the programs of the cluster, no test can pass.
process.exit(failed === 0 && (passed > 0 || cluster?.missing !== undefined) ? 0 : 1);

async function beginClusterSearch() {
  await buildSearches();
  clusterSearch = findClusterPrograms();
  // Reported once it is needed.
  clusterSearch.catch(() => undefined);
}

async function findCluster() {
  cluster = await clusterSearch;
  if (cluster.missing === undefined) return;
  process.stderr.write(`SKIPPED: level cluster. ${cluster.missing}\n`);
  totals.skipped += 1;
  levels = levels.filter((level) => level !== CLUSTER);
}

/** Beside the tests: types and lint leave a processor idle while they read. */
async function check() {
  const counts = await runChecks({ databaseUrl: services.env.TEST_DATABASE_URL });
  totals.passed += counts.passed;
  totals.failed += counts.failed;
}

/** One after another: each compiles with both processors. */
async function runPhones() {
  for (const level of chosen.filter((each) => each in PHONES))
    add(await PHONES[level]({ grep: testName() }));
}

function add(counts) {
  for (const result of Object.keys(totals)) totals[result] += counts[result];
}

async function runLevels() {
  const {
    files,
    problem,
    passedWhenRepeated: repeated,
  } = await runFiles({
    options: [
      ...(isLong ? ['--testPathPatterns', LONG_FILE.source] : []),
      ...options.map((option) => (option === '--grep' ? '-t' : option)),
    ],
    env: jestEnvironment(),
    // Named levels and files run while someone works on them: that person wants to see each failure.
    repeat: isEverything || isLong || args.includes(REPEAT),
    onStart: (process) => (jest = process),
  });
  passedWhenRepeated.push(...repeated);
  for (const file of files) add(file);
  for (const level of levels) nameSlowest(level, files);
  if (files.every((file) => file.passed + file.failed === 0)) fail('No test ran');
  if (problem !== undefined) fail(problem);
}

/** The value of `--grep`. */
function testName() {
  const grep = options.findIndex((option) => ['--grep', '-t'].includes(option));
  return grep === -1 ? undefined : options[grep + 1];
}

function jestEnvironment() {
  const grep = testName();
  return {
    ...(isAll || isLong ? LONG_RUNS : {}),
    ...(namesFiles ? { LONG_RUNS: '1' } : {}),
    ...process.env,
    ...services?.env,
    ...cluster?.env,
    ...(grep === undefined ? {} : { TEST_NAME_PATTERN: grep }),
    TEST_LEVELS: levels.join(','),
    // Generous: a busy machine must not fail a test, and a hanging test still ends.
    TEST_WITHIN_MS: String(MINUTE * (isAll || isLong ? 15 : needsServices || cluster ? 5 : 2)),
  };
}

/** A level without a test is a failure, too, unless only some files were requested. */
function nameSlowest(level, allFiles) {
  const files = allFiles.filter(({ name }) => name.startsWith(join('test', level, '/')));
  if (files.length === 0 && !namesFiles && !isLong) fail(`${level}: no test ran`);
  if (files.length === 0) return;
  const total = files.reduce((sum, { ms }) => sum + ms, 0);
  process.stdout.write(
    `\n  ${level}: ${files.length} files, ${seconds(total)} one after another\n`,
  );
  for (const { name, ms } of files.sort((a, b) => b.ms - a.ms).slice(0, NAMED_AS_SLOW))
    process.stdout.write(`  ${seconds(ms).padStart(8)}  ${name}\n`);
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  totals.failed += 1;
}
