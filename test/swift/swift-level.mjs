import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withLock } from '../../tools/cache.mjs';
import { ROOT } from '../../tools/process.mjs';
import { findSwift, runSwift } from './swift.mjs';

const PACKAGE = 'packages/connect-swift';
const EXAMPLE = 'examples/connect-ios/PocketLedger';
const SCRATCH = join(ROOT, 'node_modules/.cache/tributary/swift');
/** Everything is built once, because a build with other arguments or variables would start from the beginning. */
const BUILD = ['--scratch-path', SCRATCH, '-Xswiftc', '-warnings-as-errors'];
const ENV = { CONNECT_APPLE_STUBS: '1' };
/** The back end of the app to which the README's programs belong. */
const BACK_END = `enum Backend {
  static func token() async throws -> String { "" }
  static func exchange(_ token: String) {}
  static func repaired() {}
}
`;

/**
 * Level `swift`: the tests of the Swift package with stubs in place of Apple's modules, which are ours and not
 * Apple's, and what its tools find. @returns { passed, failed, skipped }
 * @param grep a regular expression that the names of tests match
 */
export async function runSwiftLevel({ grep } = {}) {
  const swift = await findSwift();
  if (swift.missing !== undefined) return withoutSwift(swift.missing);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const built = await buildSwift(swift);
  if (built.status !== 0) return fail(counts, 'build', built.output);
  await runTests(swift, counts, grep);
  for (const [name, check] of Object.entries(grep === undefined ? CHECKS : {})) {
    const { status, output } = await check(swift);
    if (status === 0) counts.passed += 1;
    else fail(counts, name, output);
  }
  const { passed, failed } = counts;
  process.stdout.write(`\n  swift: ${passed} passed, ${failed} failed\n`);
  return counts;
}

/** Builds the package, its tests and the driver, without a warning. @returns { status, output } */
export function buildSwift(swift) {
  return withLock('swift-build', () =>
    inPackage(swift, 'swift', ['build', '--build-tests', '--disable-xctest', '-j', '2', ...BUILD]),
  );
}

/** The program that plays a flow by itself: one JSON input per line in, its effects out. @returns what to spawn */
export function flowDriver(swift) {
  return swift.command(join(SCRATCH, 'debug/connect-flow-driver'), [], { folder: PACKAGE });
}

async function runTests(swift, counts, grep) {
  const filter = grep === undefined ? [] : ['--filter', grep];
  const args = ['test', '--skip-build', '--disable-xctest', ...BUILD, ...filter];
  const { status, output } = await inPackage(swift, 'swift', args);
  // "✔ Test name() passed after 0.001 seconds." A suite and the run report in the same form.
  const results = [...output.matchAll(/^\S+ Test (?!run with ).* (passed|failed) after /gm)];
  const passed = results.filter(([, result]) => result === 'passed').length;
  counts.passed += passed;
  counts.failed += results.length - passed;
  if (status !== 0 || passed === 0) {
    process.stderr.write(`  ✗ swift test\n${failuresOf(output)}\n`);
    if (results.length === passed) counts.failed += 1;
  }
}

/** A failed test with its records, without the hundreds that passed. */
function failuresOf(output) {
  return output
    .split('\n')
    .filter((line) => !/^[◇✔↳] /u.test(line))
    .join('\n')
    .slice(-8_000);
}

const CHECKS = {
  'swift format': (swift) =>
    inPackage(swift, 'swift', [
      ...['format', 'lint', '--strict', '--recursive', '.', join(ROOT, EXAMPLE)],
    ]),
  'swift documentation': buildDocumentation,
  'the iOS example': checkExample,
  'the programs of the README': checkReadme,
};

async function buildDocumentation(swift) {
  const info = await inPackage(swift, 'swiftc', ['-print-target-info']);
  const target = /"triple": "([^"]+)"/.exec(info.output)?.[1];
  const graphs = join(SCRATCH, 'symbols');
  mkdirSync(graphs, { recursive: true });
  const extracted = await inPackage(swift, 'swift', [
    ...['symbolgraph-extract', '-module-name', 'Connect', '-target', target],
    ...['-I', join(SCRATCH, 'debug/Modules'), '-output-dir', graphs],
    ...['-minimum-access-level', 'public', '-experimental-allowed-reexported-modules=ConnectCore'],
  ]);
  if (extracted.status !== 0) return extracted;
  return inPackage(swift, 'docc', [
    ...['convert', 'Sources/Connect/Connect.docc', '--warnings-as-errors'],
    ...['--fallback-display-name', 'Connect', '--fallback-bundle-identifier', 'tributary.connect'],
    ...['--additional-symbol-graph-dir', graphs, '--output-path', join(SCRATCH, 'documentation')],
  ]);
}

function checkExample(swift) {
  const sources = readdirSync(join(ROOT, EXAMPLE)).filter((file) => file.endsWith('.swift'));
  return checkTypes(swift, EXAMPLE, sources);
}

/** Checks the programs as if pasted into one app, together with its back end. */
function checkReadme(swift) {
  const readme = readFileSync(join(ROOT, PACKAGE, 'README.md'), 'utf8');
  const folder = join(SCRATCH, 'readme');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const programs = [...readme.matchAll(/^```swift\n(.*?)^```/gms)].map(([, code]) => code);
  [BACK_END, ...programs].forEach((code, n) =>
    writeFileSync(join(folder, `Program${n}.swift`), code),
  );
  return checkTypes(swift, relative(ROOT, folder), readdirSync(folder));
}

/** With the modules that are built already: stubs of ours in place of Apple's. */
function checkTypes(swift, folder, sources) {
  return runSwift(
    swift,
    'swiftc',
    [
      ...['-typecheck', '-swift-version', '6', '-warnings-as-errors'],
      ...['-I', join(SCRATCH, 'debug/Modules'), ...sources],
    ],
    { folder },
  );
}

function inPackage(swift, program, args) {
  return runSwift(swift, program, args, { folder: PACKAGE, env: ENV });
}

function withoutSwift(reason) {
  const isRequired = process.env.REQUIRE_SWIFT === '1';
  process.stderr.write(`${isRequired ? 'FAILED' : 'SKIPPED'}: level swift. ${reason}\n`);
  return { passed: 0, failed: isRequired ? 1 : 0, skipped: isRequired ? 0 : 1 };
}

function fail(counts, name, output) {
  process.stderr.write(`  ✗ ${name}\n${output.slice(-8_000)}\n`);
  counts.failed += 1;
  return counts;
}
