import { setTimeout as pause } from 'node:timers/promises';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from '../../../platform/src/logging/logger.js';

export interface TemporalWorkersOptions {
  address: string;
  namespace: string;
  /** One worker for each; the parts they share are added here. */
  queues: readonly QueueWorker[];
  shared: Pick<WorkerOptions, 'dataConverter' | 'interceptors'>;
  logger: Logger;
  /** Time for work in progress at a stop, and for the whole stop, in milliseconds. */
  graceMs?: number;
  forceMs?: number;
}

export type QueueWorker = { taskQueue: string } & Pick<
  WorkerOptions,
  | 'activities'
  | 'workflowBundle'
  | 'maxTaskQueueActivitiesPerSecond'
  | 'enableNonLocalActivities'
  | 'maxCachedWorkflows'
  | 'maxConcurrentWorkflowTaskExecutions'
  | 'maxConcurrentLocalActivityExecutions'
  | 'maxConcurrentActivityTaskExecutions'
>;

const LONGEST_WAIT_MS = 5_000;

/** The workers of this process: they begin when the server can be reached, and end together. */
export class TemporalWorkers {
  private connection: NativeConnection | undefined;
  private workers: Worker[] = [];
  private ended: Promise<unknown> = Promise.resolve();
  private running = false;
  private readonly stopping = new AbortController();

  constructor(private readonly options: TemporalWorkersOptions) {}

  get isRunning(): boolean {
    return this.running;
  }

  /**
   * Waits for the server, however long that takes, and works until `drain`. Rejects when a worker fails: then the
   * process must end, since only a new one is sure to poll again.
   */
  async run(): Promise<void> {
    const { namespace, queues, shared, logger } = this.options;
    const connection = await this.connect();
    if (connection === undefined) return;
    this.connection = connection;
    for (const queue of queues)
      this.workers.push(
        await Worker.create({ ...this.timing(), ...shared, ...queue, connection, namespace }),
      );
    if (this.stopping.signal.aborted) return;
    const runs = Promise.all(this.workers.map((worker) => worker.run()));
    this.ended = runs.catch(() => undefined);
    this.running = true;
    logger.info({ queues: queues.length }, 'temporal.workers_running');
    try {
      await runs;
    } finally {
      this.running = false;
    }
  }

  /** Takes no more work, lets work in progress end, and then cancels it. */
  async drain(): Promise<void> {
    this.stopping.abort();
    for (const worker of this.workers) {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    }
    await this.ended;
  }

  async close(): Promise<void> {
    await this.connection?.close();
  }

  private timing() {
    const { graceMs = 8_000, forceMs = 12_000 } = this.options;
    return {
      shutdownGraceTime: graceMs,
      shutdownForceTime: forceMs,
      // A workflow whose worker was killed is taken over by another one after this.
      stickyQueueScheduleToStartTimeout: 3_000,
      // A cancellation reaches an activity with the answer to a heartbeat.
      maxHeartbeatThrottleInterval: 1_000,
    };
  }

  private async connect(): Promise<NativeConnection | undefined> {
    const { address, logger } = this.options;
    for (let attempt = 1; !this.stopping.signal.aborted; attempt += 1) {
      try {
        return await NativeConnection.connect({ address });
      } catch (err) {
        logger.warn({ address, attempt, err }, 'temporal.waiting');
        await pause(Math.min(LONGEST_WAIT_MS, 250 * 2 ** attempt), undefined, {
          signal: this.stopping.signal,
        }).catch(() => undefined);
      }
    }
    return undefined;
  }
}
