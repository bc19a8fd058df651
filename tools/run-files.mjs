import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from './process.mjs';

/** More failed files are a fault of the change, not tests that are unsteady. */
const MAX_REPEATED = 20;

/**
 * Runs test files with Jest, which prints each of them to standard error. With `repeat`, failed files run once more
 * after all others, alone and one after another: a busy machine must not fail a run, and no failure may be hidden.
 * @param options options of Jest
 * @param env in addition to the environment of this process
 * @param onStart receives each process of Jest, the leader of a group of its own
 * @returns the files with their last result; `passedWhenRepeated`, those of them that failed first, with the text of
 * that failure; and `problem` if Jest failed without a failed file
 */
export async function runFiles({ options, env, repeat = false, onStart = () => undefined }) {
  const first = await runJest(options, env, onStart);
  const failed = first.files.filter(({ failed: count }) => count > 0);
  if (!repeat || failed.length === 0) return { ...first, passedWhenRepeated: [] };
  if (failed.length > MAX_REPEATED) {
    process.stderr.write(`\n${failed.length} files failed: too many to repeat them.\n`);
    return { ...first, passedWhenRepeated: [] };
  }
  const names = failed.map(({ name }) => name);
  process.stderr.write(`\nFailed files run once more, alone:\n  ${names.join('\n  ')}\n\n`);
  const config = options.filter((option) => option.startsWith('--config='));
  const alone = [...config, '--maxWorkers=1', '--runTestsByPath', ...names];
  const again = await runJest(alone, env, onStart);
  // A file without a second result keeps its first one.
  const results = new Map(again.files.map((file) => [file.name, file]));
  return {
    files: first.files.map((file) => results.get(file.name) ?? file),
    passedWhenRepeated: failed.filter(({ name }) => results.get(name)?.failed === 0),
    problem: again.problem,
  };
}

async function runJest(options, env, onStart) {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-tests-'));
  const report = join(folder, 'report.json');
  try {
    const status = await spawnJest(['--json', '--outputFile', report, ...options], env, onStart);
    if (!existsSync(report))
      return { files: [], problem: `Jest ended with status ${status} and no report` };
    const files = JSON.parse(readFileSync(report, 'utf8')).testResults.map(resultOf);
    const isUnexplained = status !== 0 && files.every(({ failed }) => failed === 0);
    return { files, problem: isUnexplained ? `Jest ended with status ${status}` : undefined };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function spawnJest(args, env, onStart) {
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
    cwd: ROOT,
    // With --json the report would go to standard output, too.
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      ...env,
      NODE_OPTIONS:
        '--import @swc-node/register/esm-register --disable-warning=ExperimentalWarning',
    },
  });
  onStart(jest);
  return new Promise((resolve, reject) => {
    jest.once('error', reject);
    jest.once('close', resolve);
  });
}

/** A file that cannot be loaded, loses its process or fails outside of a test is a failure, too. */
function resultOf({ name, status, message, startTime, endTime, assertionResults }) {
  const count = (...statuses) =>
    assertionResults.filter((test) => statuses.includes(test.status)).length;
  return {
    name: relative(ROOT, name),
    ms: endTime - startTime,
    passed: count('passed'),
    failed: status === 'failed' ? Math.max(1, count('failed')) : 0,
    skipped: count('pending', 'todo'),
    text: message,
  };
}
