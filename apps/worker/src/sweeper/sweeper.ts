import type { Logger } from '../../../platform/src/logging/logger.js';

/** One kind of row that needs attention; returns the number of handled rows. */
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
 * Runs every task each interval. Workflows make deadlines prompt, the sweeper makes them certain: it works even if every
 * workflow history is lost. Several workers may sweep concurrently, since tasks skip locked rows.
 */
export class Sweeper {
  private timer: NodeJS.Timeout | undefined;
  private currentRound: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly options: SweeperOptions) {}

  start(): void {
    this.currentRound = this.sweepOnce().finally(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.start(), this.options.intervalMs);
    });
  }

  /** Returns when the current round has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.currentRound;
  }

  private async sweepOnce(): Promise<void> {
    const { tasks, clock, logger, onSwept } = this.options;
    for (const { name, sweep } of tasks) {
      try {
        const rows = await sweep(clock());
        onSwept?.(name, rows);
        if (rows > 0) logger.info({ task: name, rows }, 'sweeper.swept');
      } catch (err) {
        logger.warn({ task: name, err }, 'sweeper.failed');
      }
    }
  }
}
