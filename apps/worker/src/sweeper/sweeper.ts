import type { Logger } from '../../../platform/src/logging/logger.js';

/** One kind of row that may be left behind; answers how many it brought on their way. */
export interface SweepTask {
  name: string;
  sweep: (now: Date) => Promise<number>;
}

export interface SweeperOptions {
  tasks: readonly SweepTask[];
  intervalMs: number;
  clock: () => Date;
  logger: Logger;
  onSwept?: (task: string, rows: number) => void;
}

/**
 * Looks for rows whose deadline passed without anybody acting on it. Workflows make deadlines prompt, this makes them
 * sure: it works when every workflow history is lost. Several workers may sweep at once, since tasks skip locked rows.
 */
export class Sweeper {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly options: SweeperOptions) {}

  start(): void {
    this.underWay = this.sweepOnce().finally(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.start(), this.options.intervalMs);
    });
  }

  /** Returns when the round under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.underWay;
  }

  private async sweepOnce(): Promise<void> {
    const { tasks, clock, logger, onSwept } = this.options;
    for (const { name, sweep } of tasks) {
      try {
        const rows = await sweep(clock());
        onSwept?.(name, rows);
        if (rows > 0) logger.info({ name, rows }, 'sweeper.swept');
      } catch (err) {
        logger.warn({ name, err }, 'sweeper.failed');
      }
    }
  }
}
