// cspell:ignore stty
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../../clients/cli/src/run-cli.js';
import { eventually } from '../assertions/eventually.js';
import type { KeyPair } from '../services/standalone.js';

const MAIN = fileURLToPath(
  new URL('../../../clients/cli/dist/esm/cli/src/main.js', import.meta.url),
);

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * The command as a developer runs it, with a folder of its own for profiles. Commands that end by
 * themselves run in this process, without a terminal; others are processes of their own.
 */
export class DeveloperCli {
  readonly folder = mkdtempSync(join(tmpdir(), 'developer-cli-'));

  /** @param pair of the environment; without one, the commands use profiles */
  constructor(
    private readonly baseUrl: string,
    private readonly pair?: KeyPair,
  ) {}

  get env(): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env;
    const pair: Record<string, string> =
      this.pair === undefined
        ? {}
        : {
            TRIBUTARY_URL: this.baseUrl,
            CLIENT_ID: this.pair.client_id,
            CLIENT_SECRET: this.pair.client_secret,
          };
    return { PATH, HOME, TRIBUTARY_CONFIG_DIR: this.folder, ...pair };
  }

  /** Runs a command without a terminal, to its end. */
  async run(args: readonly string[], input = ''): Promise<Ended> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([text(stdout), text(stderr)]);
    const status = await runCli({
      args,
      env: this.env,
      stdin: Readable.from([input]) as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      stop: new AbortController().signal,
    });
    stdout.end();
    stderr.end();
    const [out, err] = await written;
    return { status, stdout: out, stderr: err };
  }

  /** The JSON of a command that succeeds; of a list, its lines. */
  async json<T>(...args: string[]): Promise<T> {
    const { status, stdout, stderr } = await this.run([...args, '--json']);
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    const lines = stdout.trimEnd().split('\n');
    return (lines.length === 1 ? JSON.parse(stdout) : lines.map((line) => JSON.parse(line))) as T;
  }

  start(args: readonly string[], input = ''): RunningCli {
    const running = new RunningCli(spawn(process.execPath, [MAIN, ...args], { env: this.env }));
    running.type(input, true);
    return running;
  }

  /** Runs a command at a pseudo-terminal, which mixes its outputs. */
  startAtTerminal(args: readonly string[]): RunningCli {
    const words = [process.execPath, MAIN, ...args].map((word) => `'${word}'`);
    const command = `stty columns 100 rows 30; ${words.join(' ')}`;
    return new RunningCli(
      spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
        env: { ...this.env, TERM: 'xterm' },
      }),
    );
  }
}

export class RunningCli {
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    child.stdin?.on('error', () => undefined);
    this.ended = new Promise((resolve) => child.once('close', (status) => resolve(status)));
  }

  type(text: string, end = false): void {
    if (end) this.child.stdin?.end(text);
    else this.child.stdin?.write(text);
  }

  interrupt(): void {
    this.child.kill('SIGINT');
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Waits for a text in what it printed. */
  until(text: string | RegExp): Promise<void> {
    return eventually(() => {
      const printed = this.stdout + this.stderr;
      if (typeof text === 'string' ? !printed.includes(text) : !text.test(printed))
        throw new Error(`it did not print ${String(text)} but ${printed}`);
    });
  }
}
