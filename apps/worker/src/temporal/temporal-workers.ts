import { setTimeout as pause } from 'node:timers/promises';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { explainConnectionFailure } from '../../../platform/src/temporal/connection-failure.js';
import type { TemporalPlace } from '../../../platform/src/temporal/temporal-place.js';

export interface TemporalWorkersOptions extends TemporalPlace {
  /** One worker for each; the parts they share are added here. */
  queues: readonly QueueWorker[];
  shared: Pick<
    WorkerOptions,
    'dataConverter' | 'interceptors' | 'workerDeploymentOptions' | 'patchActivationCallback'
  >;
  logger: Logger;
  clock: () => Date;
  /** Waits, after the server was reached, for the other requirements of the workers; missing: none. */
  beforePolling?: (stopping: AbortSignal) => Promise<void>;
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

interface RunningWorker {
  worker: Worker;
  ended: Promise<void>;
  isLeaving: boolean;
}

const LONGEST_WAIT_MS = 5_000;
const LOOK_FOR_KEY_EVERY_MS = 1_000;

/**
 * The workers of this process: they begin when the server can be reached, and end together. Those
 * of single queues may join later and leave earlier.
 */
export class TemporalWorkers {
  private readonly workers = new Map<string, RunningWorker>();
  private readonly connection: Promise<NativeConnection | undefined>;
  private provideConnection!: (connection: NativeConnection | undefined) => void;
  private readonly failure: Promise<never>;
  private fail!: (error: unknown) => void;
  private since: Date | null = null;
  private keyTimer: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: TemporalWorkersOptions) {
    this.connection = new Promise((resolve) => (this.provideConnection = resolve));
    this.failure = new Promise((_, reject) => (this.fail = reject));
    this.failure.catch(() => undefined);
  }

  get isRunning(): boolean {
    return this.since !== null;
  }

  /** Time since which all of them have polled; null while they do not. */
  get runningSince(): Date | null {
    return this.since;
  }

  /**
   * Waits for the server, however long that takes, and works until `drain`. Rejects when a worker fails: then the
   * process must end, since only a new one is sure to poll again.
   */
  async run(): Promise<void> {
    const { queues, logger, beforePolling } = this.options;
    const connection = await this.connect();
    if (connection !== undefined) await beforePolling?.(this.stopping.signal);
    if (this.stopping.signal.aborted) await connection?.close();
    this.provideConnection(this.stopping.signal.aborted ? undefined : connection);
    for (const queue of queues) await this.add(queue);
    if (this.stopping.signal.aborted) return;
    this.since = this.options.clock();
    logger.info({ queues: queues.length }, 'temporal.workers_running');
    const stopped = new Promise<void>((resolve) => {
      this.stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await Promise.race([this.failure, stopped.then(() => this.allEnded())]);
    } finally {
      this.since = null;
    }
  }

  /** Starts to work on a queue, once the server can be reached. Does nothing after `drain`. */
  async add(queue: QueueWorker): Promise<void> {
    const { namespace, shared } = this.options;
    const connection = await this.connection;
    if (connection === undefined || this.stopping.signal.aborted) return;
    const worker = await Worker.create({
      ...this.timing(),
      ...shared,
      ...queue,
      connection,
      namespace,
    });
    const running = { worker, ended: worker.run(), isLeaving: false };
    running.ended.catch((error: unknown) => {
      if (!running.isLeaving) this.fail(error);
    });
    this.workers.set(queue.taskQueue, running);
    if (this.stopping.signal.aborted) shutDown(worker);
  }

  /**
   * Takes no more work from a queue, and returns when work in progress has ended: work that does not end
   * within the time of grace is canceled, and repeated by the next worker of the queue.
   */
  async remove(taskQueue: string): Promise<void> {
    const found = this.workers.get(taskQueue);
    if (found === undefined) return;
    // Work that ignores its cancellation is not a reason to end the process.
    found.isLeaving = true;
    shutDown(found.worker);
    await found.ended.finally(() => this.workers.delete(taskQueue));
  }

  /** Takes no more work, lets work in progress end, and then cancels it. */
  async drain(): Promise<void> {
    this.stopping.abort();
    for (const { worker } of this.workers.values()) shutDown(worker);
    await this.allEnded();
  }

  async close(): Promise<void> {
    this.provideConnection(undefined);
    clearInterval(this.keyTimer);
    await (await this.connection)?.close();
  }

  private async allEnded(): Promise<void> {
    await Promise.allSettled([...this.workers.values()].map(({ ended }) => ended));
  }

  private timing() {
    const { graceMs = 8_000, forceMs = 12_000 } = this.options;
    return {
      shutdownGraceTime: graceMs,
      shutdownForceTime: forceMs,
      // After this time another worker takes over a workflow whose worker was killed.
      stickyQueueScheduleToStartTimeout: 3_000,
      // A cancellation reaches an activity with the response to a heartbeat.
      maxHeartbeatThrottleInterval: 1_000,
    };
  }

  /** The native connection keeps its first key, so it needs each new one. */
  private followKey(
    connection: NativeConnection,
    apiKey: () => string,
    given: string | undefined,
  ): void {
    let current = given;
    this.keyTimer = setInterval(() => {
      const key = apiKey();
      if (key === current) return;
      current = key;
      void connection.setApiKey(key);
      this.options.logger.info({}, 'temporal.api_key_changed');
    }, LOOK_FOR_KEY_EVERY_MS).unref();
  }

  private async connect(): Promise<NativeConnection | undefined> {
    const { address, tls, apiKey, logger } = this.options;
    for (let attempt = 1; !this.stopping.signal.aborted; attempt += 1) {
      try {
        const key = apiKey?.();
        const connection = await NativeConnection.connect({
          address,
          ...(tls === undefined ? {} : { tls }),
          ...(key === undefined ? {} : { apiKey: key }),
        });
        if (apiKey !== undefined) this.followKey(connection, apiKey, key);
        return connection;
      } catch (err) {
        const reason = explainConnectionFailure(err);
        logger.warn({ address, attempt, reason, err }, 'temporal.waiting');
        await pause(Math.min(LONGEST_WAIT_MS, 250 * 2 ** attempt), undefined, {
          signal: this.stopping.signal,
        }).catch(() => undefined);
      }
    }
    return undefined;
  }
}

function shutDown(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown();
}
