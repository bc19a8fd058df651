import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface RunningDemo {
  readonly pid: number | undefined;
  /** Everything it has written. */
  output(): string;
  /** @throws Error with its output when it exits instead */
  untilItSays(text: string): Promise<void>;
  /** Has the effect of Ctrl-C in a terminal, which reaches it twice: once directly, once by npm. @returns its status */
  stop(): Promise<number | null>;
  ended: Promise<number | null>;
}

/**
 * Runs `npm run demo` without npm, on ports of its own; it stays up unless its arguments have `--once`. Its temporary
 * data folder is created in the given one.
 */
export function startDemo(
  folder: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): RunningDemo {
  const child = spawn(
    process.execPath,
    [join(process.cwd(), 'dist/apps/standalone/src/demo.js'), '--auto-ports', ...args],
    {
      env: { ...process.env, NODE_OPTIONS: '', TMPDIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    pid: child.pid,
    output: () => output,
    ended,
    async untilItSays(text) {
      let hasEnded = false;
      void ended.then(() => {
        hasEnded = true;
      });
      while (!output.includes(text)) {
        if (hasEnded) throw new Error(`The demo ended without saying "${text}":\n${output}`);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
    async stop() {
      if (child.exitCode === null) for (let time = 0; time < 2; time += 1) child.kill('SIGINT');
      return ended;
    },
  };
}

/** Runs `npm run demo -- --once` with further arguments until it exits. */
export async function runDemo(
  folder: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const demo = startDemo(folder, env, ['--once', ...args]);
  const code = await demo.ended;
  return { code, output: demo.output() };
}
