import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartFailure } from '../start-failure.js';
import { until } from '../until.js';

export interface SupervisedProcessOptions {
  name: string;
  start: () => ChildProcess;
  /** Returns whether it is ready; polled until it is. */
  isReady: () => Promise<boolean>;
  readyWithin: number;
  stopSignal: NodeJS.Signals;
  /** Its last output, for the message when it cannot start. */
  lastWords?: () => string;
  onStart?: (pid: number) => void;
  onCrash?: (exit: {
    code: number | null;
    signal: NodeJS.Signals | null;
    restartInMs: number;
  }) => void;
}

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;
/** A process that ran this long has recovered, and restarts without delay next time. */
const HEALTHY_AFTER_MS = 20_000;
const TRIES_BEFORE_READY = 2;

/** Keeps one process running: restarts it with back-off whenever it exits unexpectedly. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private ended: Promise<void> = Promise.resolve();
  private stopping = new AbortController();
  private wasReady = false;
  private crashes = 0;

  constructor(private readonly options: SupervisedProcessOptions) {}

  get name(): string {
    return this.options.name;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Starts it and waits until it is ready. @throws StartFailure when it exits again and again, or
   * takes too long
   */
  async start(): Promise<void> {
    const failed = new AbortController();
    this.ended = this.keepRunning(failed);
    const ready = await until(
      async () => this.child?.exitCode === null && (await this.options.isReady()),
      {
        within: this.options.readyWithin,
        signal: AbortSignal.any([failed.signal, this.stopping.signal]),
      },
    );
    if (this.stopping.signal.aborted)
      throw new StartFailure(`${this.name} was stopped before it was ready.`);
    if (!ready) {
      const words = this.options.lastWords?.().trim() ?? '';
      const what = failed.signal.aborted
        ? 'ended before it was ready'
        : `was not ready after ${this.options.readyWithin / 1000} s`;
      throw new StartFailure(`${this.name} ${what}.${words === '' ? '' : `\n${indent(words)}`}`);
    }
    this.wasReady = true;
  }

  /** Requests its exit, kills it at the time limit, and waits until it is gone. */
  async stop(within: number): Promise<void> {
    this.stopping.abort();
    this.child?.kill(this.options.stopSignal);
    const force = setTimeout(() => this.child?.kill('SIGKILL'), Math.max(within, 0));
    await this.ended;
    clearTimeout(force);
  }

  /** Runs when our own process exits, without waiting. */
  kill(): void {
    this.stopping.abort();
    this.child?.kill('SIGKILL');
  }

  private async keepRunning(failed: AbortController): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const startedAt = Date.now();
      const exit = await this.runOnce();
      if (this.stopping.signal.aborted) return;
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) this.crashes = 0;
      this.crashes += 1;
      if (!this.wasReady && this.crashes >= TRIES_BEFORE_READY) return failed.abort();
      const restartInMs = Math.min(FIRST_DELAY_MS * 2 ** (this.crashes - 1), LONGEST_DELAY_MS);
      this.options.onCrash?.({ ...exit, restartInMs });
      await sleep(restartInMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private runOnce(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    return new Promise((resolve) => {
      const child = this.options.start();
      this.child = child;
      child.once('error', () => resolve({ code: null, signal: null }));
      child.once('exit', (code, signal) => resolve({ code, signal }));
      if (child.pid !== undefined) this.options.onStart?.(child.pid);
    });
  }
}

const indent = (text: string) =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
