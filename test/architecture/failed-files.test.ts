import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Run {
  status: number;
  output: string;
  /** The names of the tests that ran, in their order. */
  ran: string[];
}

/** Runs files of `test/support/runner/repetition`, as a whole run does. */
async function runRepeated(files: string[]): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'repetition-'));
  const runs = join(folder, 'runs');
  const config = '--config=test/support/runner/repetition/jest.config.mjs';
  const args = ['tools/test.mjs', 'unit', ...files, '--repeat-failed', config];
  try {
    const { status, output } = await new Promise<Omit<Run, 'ran'>>((resolve) => {
      const env = { ...process.env, REPETITION_RUNS: runs };
      const child = execFile(process.execPath, args, { env }, (_error, stdout, stderr) =>
        resolve({ status: child.exitCode ?? -1, output: stderr + stdout }),
      );
    });
    return { status, output, ran: readFileSync(runs, 'utf8').trim().split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('After a whole run', () => {
  it('a file that failed runs once more, alone, and is named with its first failure if it passes', async () => {
    const { status, output, ran } = await runRepeated(['fails-once', 'passes']);
    expect(output).toMatch(
      /this once[^]*\npassed only when repeated: test\/support\/runner\/repetition\/fails-once\.test\.ts\n/,
    );
    expect(output).toMatch(/\n3 passed, 0 failed, 0 skipped\n$/);
    expect(status).toBe(0);
    expect(ran.sort()).toEqual(['fails-once', 'fails-once', 'passes']);
  });

  it('a file that fails once more fails the run', async () => {
    const { status, output, ran } = await runRepeated(['always-fails', 'fails-once', 'passes']);
    expect(output).not.toMatch(/passed only when repeated: .*always-fails/);
    expect(output).toMatch(/passed only when repeated: .*fails-once/);
    expect(output).toMatch(/\n3 passed, 1 failed, 0 skipped\n$/);
    expect(status).toBe(1);
    expect(ran.filter((name) => name === 'always-fails')).toHaveLength(2);
    expect(ran.filter((name) => name === 'passes')).toHaveLength(1);
  });
});
