import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const NODE_SAMPLE = fileURLToPath(
  new URL('../../../examples/webhook-receiver-node/', import.meta.url),
);
export const PYTHON_SAMPLE = fileURLToPath(
  new URL('../../../examples/webhook-receiver-python/', import.meta.url),
);

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

  static startNode(baseUrl: string): Promise<RunningSample> {
    return RunningSample.start(process.execPath, ['server.mjs'], NODE_SAMPLE, baseUrl);
  }

  static startPython(python: string, baseUrl: string): Promise<RunningSample> {
    return RunningSample.start(python, ['server.py'], PYTHON_SAMPLE, baseUrl);
  }

  private static async start(
    program: string,
    args: string[],
    cwd: string,
    baseUrl: string,
  ): Promise<RunningSample> {
    const sample = new RunningSample(
      spawn(program, args, {
        cwd,
        env: {
          PATH: process.env['PATH'],
          TRIBUTARY_URL: baseUrl,
          PORT: '0',
          PYTHONDONTWRITEBYTECODE: '1',
        },
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
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the sample did not print ${line}: ${this.output}`)),
        UNTIL_MS,
      );
      const look = (): void => {
        if (!line.test(this.output)) return;
        clearTimeout(timer);
        this.child.stdout?.off('data', look);
        resolve();
      };
      this.child.stdout?.on('data', look);
      look();
    });
  }

  stop(): void {
    this.child.kill();
  }
}
