import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The ends of both test commands: closing line and status. */
interface Ends {
  test: string;
  long: string;
  commits?: number;
}

/** Runs a copy of the script where `npm` and `git` are scripts that end as stated. */
async function runScript({ test, long, commits = 1 }: Ends) {
  const folder = mkdtempSync(join(tmpdir(), 'ci-'));
  const calls = join(folder, 'calls');
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  mkdirSync(join(folder, 'project/.ci'), { recursive: true });
  copyFileSync('.ci/run', join(folder, 'project/.ci/run'));
  program('git', `echo ${commits}`);
  program(
    'npm',
    `echo "$*" >>'${calls}'\ncase "$1" in\ntest) ${test} ;;\nrun) ${long} ;;\nesac\nexit 0`,
  );
  try {
    const { status, output } = await new Promise<{ status: number; output: string }>((resolve) => {
      const child = execFile(
        'sh',
        [join(folder, 'project/.ci/run')],
        { env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` } },
        (_error, stdout) => resolve({ status: child.exitCode ?? -1, output: stdout }),
      );
    });
    const closing = output.split('\n').filter((line) => /^\d+ passed, \d+ failed/.test(line));
    return { status, closing, calls: readFileSync(calls, 'utf8').trim().split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const PASSED = 'echo "5 passed, 0 failed, 2 skipped"';
const FAILED = 'echo "4 passed, 1 failed, 2 skipped"; exit 1';

describe('The script of CI', () => {
  it('runs the commands of the README, then a quarter of the long runs, and adds their results up', async () => {
    const { status, closing, calls } = await runScript({ test: PASSED, long: PASSED });
    expect(calls).toEqual(['ci', 'test', 'run test:long -- --shard=2/4']);
    expect(closing).toEqual(['10 passed, 0 failed, 4 skipped']);
    expect(status).toBe(0);
  });

  it('runs each quarter of the long runs once in four commits', async () => {
    const shards = await Promise.all(
      [7, 8, 9, 10].map((commits) => runScript({ test: PASSED, long: PASSED, commits })),
    );
    expect(shards.map(({ calls }) => calls.at(-1)?.split('=').at(-1))).toEqual([
      '4/4',
      '1/4',
      '2/4',
      '3/4',
    ]);
  });

  it.each([
    ['npm test', { test: FAILED, long: PASSED }, '9 passed, 1 failed, 4 skipped'],
    ['a long run', { test: PASSED, long: FAILED }, '9 passed, 1 failed, 4 skipped'],
    [
      'a command without a closing line',
      { test: 'exit 1', long: PASSED },
      '5 passed, 1 failed, 2 skipped',
    ],
  ])('fails after a failure of %s', async (_name, ends, line) => {
    const { status, closing } = await runScript(ends);
    expect(closing).toEqual([line]);
    expect(status).toBe(1);
  });
});
