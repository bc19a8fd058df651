import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { isForeignDatabase } from '../../../../prisma/database/database-failures.js';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { STOPPING } from '../http/stopping.js';

const RETRY_MS = 1_000;

/** For database-failures.ts: the response is 503. */
class NotPrepared extends Error {
  readonly code = '57P03';
}

/**
 * What the database must have before the first request, for example the keys of cursors. Where the database was
 * restored and not recovered yet, the process starts all the same: it returns 503 until an operator has run
 * `cli recover`, and then goes on.
 */
@Injectable()
export class Preparation {
  private isDone = false;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  /** Resolves when the work is done, or goes on behind the caller. @throws what the work throws for other reasons */
  async begin(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.isDone = true;
    } catch (error) {
      if (!isForeignDatabase(error)) throw error;
      void this.finish(work);
    }
  }

  /** @throws an error whose response is 503 */
  refuseUntilDone(): void {
    if (!this.isDone) throw new NotPrepared('the database is not prepared yet');
  }

  private async finish(work: () => Promise<void>): Promise<void> {
    while (!this.isDone) {
      await pause(RETRY_MS, undefined, { signal: this.stopping }).catch(() => undefined);
      if (this.stopping.aborted) return;
      try {
        await work();
        this.isDone = true;
      } catch (err) {
        if (!isForeignDatabase(err)) this.logger.warn({ err }, 'database.waiting');
      }
    }
  }
}
