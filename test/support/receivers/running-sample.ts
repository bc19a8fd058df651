import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildPackages } from '../../../tools/build-packages.mjs';
import { CLIENT_VARIABLES } from './python-client.js';

const EXAMPLES = new URL('../../../examples/', import.meta.url);

/** The environment of a receiver. */
export type Variables = Readonly<Record<string, string>>;

/** Milliseconds after which waiting for a line is hopeless. */
const UNTIL_MS = 100_000;

/** A webhook receiver from examples/, run as a customer would run it. */
export class RunningSample {
  private output = '';
  private constructor(private readonly child: ChildProcess) {
    const add = (chunk: Buffer) => {
      this.output += chunk.toString('utf8');
    };
    child.stdout?.on('data', add);
    child.stderr?.on('data', add);
  }

  static async startNode(variables: Variables): Promise<RunningSample> {
    if (!(await buildPackages({ quiet: true }))) throw new Error('the client was not built');
    return RunningSample.start(process.execPath, 'webhook-receiver-node/server.mjs', variables);
  }

  static startPython(python: string, variables: Variables): Promise<RunningSample> {
    return RunningSample.start(python, 'webhook-receiver-python/server.py', {
      ...CLIENT_VARIABLES,
      ...variables,
    });
  }

  private static async start(
    program: string,
    server: string,
    variables: Variables,
  ): Promise<RunningSample> {
    const sample = new RunningSample(
      spawn(program, [fileURLToPath(new URL(server, EXAMPLES))], {
        env: { PATH: process.env['PATH'], PORT: '0', ...variables },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    await sample.until(/listening on (\S+)/);
    return sample;
  }

  get url(): string {
    return `${/listening on (\S+)/.exec(this.output)?.[1]}/hooks`;
  }

  /** Waits for a line. */
  until(line: RegExp): Promise<void> {
    const streams = [this.child.stdout, this.child.stderr];
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the sample did not print ${line}: ${this.output}`)),
        UNTIL_MS,
      );
      const look = (): void => {
        if (!line.test(this.output)) return;
        clearTimeout(timer);
        for (const stream of streams) stream?.off('data', look);
        resolve();
      };
      for (const stream of streams) stream?.on('data', look);
      look();
    });
  }

  stop(): void {
    this.child.kill();
  }
}
