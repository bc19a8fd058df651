import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { until } from '../../../apps/standalone/src/until.js';

const READY_WITHIN_MS = 120_000;
const LAST_CHARACTERS = 2_000;

export interface ClusterProcessOptions {
  name: string;
  /** The file for its output, which is appended at each start. */
  log: string;
  launch: (log: number) => ChildProcess;
  isReady: () => Promise<boolean>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One process of the cluster or of the service, which a test kills and starts again. */
export class ClusterProcess {
  private child: ChildProcess | undefined;

  constructor(private readonly options: ClusterProcessOptions) {}

  get name(): string {
    return this.options.name;
  }

  get pid(): number {
    const { pid } = this.child ?? {};
    if (pid === undefined) throw new Error(`${this.name} does not run`);
    return pid;
  }

  /** Starts it, and waits until it is ready. */
  async start(): Promise<void> {
    await this.begin().untilReady();
  }

  /** Starts it. It need not become ready. */
  begin(): this {
    const { launch, log } = this.options;
    const file = openSync(log, 'a');
    const child = launch(file);
    closeSync(file);
    this.child = child;
    child.once('error', () => undefined);
    running.add(child);
    child.once('exit', () => running.delete(child));
    return this;
  }

  async untilReady(): Promise<void> {
    const { isReady, name } = this.options;
    const isReadyOrGone = async () => this.hasEnded || (await isReady());
    await until(isReadyOrGone, { within: READY_WITHIN_MS });
    if (this.hasEnded || !(await isReady()))
      throw new Error(`${name} did not become ready:\n${this.tail()}`);
  }

  isReady(): Promise<boolean> {
    return this.options.isReady();
  }

  /** Asks it to stop, and waits until it has. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    return this.end(signal);
  }

  /** kill -9. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  output(): string {
    return readFileSync(this.options.log, 'utf8');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  private get hasEnded(): boolean {
    return this.child === undefined || hasEnded(this.child);
  }

  private tail(): string {
    return this.output().slice(-LAST_CHARACTERS);
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
