import { execFile } from 'node:child_process';

interface Report {
  numRuntimeErrorTestSuites: number;
  testResults: { assertionResults: { title: string; status: string }[] }[];
}

/** Runs the files of `test/support/runner/failures`, which no level includes. */
function runFailures(): Promise<Report> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '--import @swc-node/register/esm-register',
    TEST_LEVELS: 'support/runner/failures',
    TEST_NAME_PATTERN: '',
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['node_modules/jest/bin/jest.js', '--json', '--forceExit', '--maxWorkers=2'],
      { env },
      (_error, stdout) => resolve(JSON.parse(stdout) as Report),
    );
  });
}

describe('The test runner', () => {
  it('fails files that cannot be loaded, lose their process, hang or leave errors behind', async () => {
    const { numRuntimeErrorTestSuites: broken, testResults } = await runFailures();
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(broken).toBe(2);
    expect(Object.fromEntries(tests.map(({ title, status }) => [title, status]))).toEqual({
      'leaves a rejection': 'failed',
      hangs: 'failed',
      'leaves a spy and fake timers': 'passed',
      'passes: it sees neither': 'passed',
      '(beforeAll)': 'failed',
      'is not run without its set-up': 'failed',
      'a skipped group': 'pending',
      'is not run after a hook that hangs': 'failed',
      'throws outside of its promise': 'failed',
      '(afterAll)': 'failed',
    });
  }, 300_000);
});
