import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../../platform/src/logging/logger.js';

const RETRY_MS = 1_000;

/** A schedule of Temporal, or a family of them. */
export interface Schedule {
  /** Creates or updates the Schedules that differ. @returns the number created or updated */
  ensure(): Promise<number>;
}

/** The schedules that start work without a request. */
export class WorkerSchedules implements Schedule {
  constructor(
    private readonly schedules: readonly Schedule[],
    private readonly logger: Logger,
  ) {}

  async ensure(): Promise<number> {
    let made = 0;
    for (const schedule of this.schedules) made += await schedule.ensure();
    return made;
  }

  /** Tries until it succeeds or the process stops; the sweeper restores schedules that are lost later. */
  async ensureAtStart(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      try {
        await this.ensure();
        return;
      } catch (err) {
        this.logger.warn({ err }, 'schedules.waiting');
        await pause(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  }
}
