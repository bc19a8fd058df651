import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('started-process.ts', import.meta.url));

/** Runs the sample process. `onStarted` stops it once it has started. */
async function run(
  scenario: string,
  onStarted: (child: ChildProcess) => void = () => undefined,
  env: Record<string, string> = {},
): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(
    process.execPath,
    [
      // The loader of tests calls a function that is deprecated from Node 26 on.
      '--no-deprecation',
      '--import',
      '@swc-node/register/esm-register',
      ENTRY,
      scenario,
    ],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { ...process.env, NODE_OPTIONS: '', ...env } },
  ) as ChildProcessByStdio<null, Readable, Readable>;
  let output = '';
  let stopped = false;
  const note = (chunk: Buffer): void => {
    output += chunk.toString();
    if (stopped || !output.includes('started\n')) return;
    stopped = true;
    onStarted(child);
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const ends = [child.stdout, child.stderr].map((stream) => once(stream, 'end'));
  const [code] = (await once(child, 'exit')) as [number | null];
  await Promise.all(ends);
  return { code, lines: output.trim().split('\n') };
}

describe('runProcess', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'stops the parts in reverse order and exits with 0 on %s',
    async (signal) => {
      expect(await run('works', (child) => child.kill(signal))).toEqual({
        code: 0,
        lines: ['started', 'sample.stopping', 'second stopped', 'first stopped'],
      });
    },
  );

  it('stops when its supervisor has exited', async () => {
    const { code, lines } = await run('works', (child) => child.disconnect());
    expect(code).toBe(0);
    expect(lines).toContain('first stopped');
  });

  it.each([
    [
      'stops what has started when a later part cannot start',
      'start fails',
      ['sample.start_failed', 'first stopped'],
    ],
    [
      'stops in order when a part fails later',
      'fails later',
      ['started', 'sample.failed', 'sample.stopping', 'second stopped', 'first stopped'],
    ],
    [
      'exits at once after an unhandled rejection',
      'rejection',
      ['started', 'sample.unhandled_rejection'],
    ],
    [
      'exits at once after an uncaught exception',
      'exception',
      ['started', 'sample.uncaught_exception'],
    ],
  ])('%s and exits with 1', async (_, scenario, lines) => {
    expect(await run(scenario)).toEqual({ code: 1, lines });
  });

  it.each([
    ['as a line of the log', 'json', expect.stringMatching(/^\{.*"reason":"PORT is missing".*\}$/)],
    ['in words to a person', 'pretty', 'PORT is missing'],
  ])('reports wrong settings %s and exits with 1', async (_, format, line) => {
    expect(await run('bad settings', undefined, { LOG_FORMAT: format })).toEqual({
      code: 1,
      lines: [line],
    });
  });

  it('sends warnings of Node and the output of libraries to the log', async () => {
    const { lines } = await run('stray output', (child) => child.kill('SIGTERM'));
    expect(lines).toEqual(
      expect.arrayContaining(['sample.node_warning', 'sample.library_output', 'started']),
    );
    expect(lines.join('\n')).not.toContain('straying');
  });

  it('logs a part that cannot stop and exits with 1', async () => {
    expect(await run('stop fails', (child) => child.kill('SIGTERM'))).toEqual({
      code: 1,
      lines: ['started', 'sample.stopping', 'second stopped', 'sample.stop_failed'],
    });
  });
});
