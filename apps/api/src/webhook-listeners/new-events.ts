import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../../../prisma/context.js';
import { runUnowned } from '../../../../prisma/database/work-origin.js';
import { lastEventKey } from '../../../../prisma/webhook-log/settled-events.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';

const LOOK_AGAIN_MS = 200;

interface Waiting {
  position: bigint;
  wake: () => void;
}

/**
 * Wakes calls that wait for events. One look at the newest key serves all of them, whatever their
 * number, and there is none while no call waits: events announce nothing to listeners.
 */
@Injectable()
export class NewEvents {
  private readonly waiting = new Set<Waiting>();
  private isLooking = false;

  constructor(@Inject(DATABASE_CONTEXT) private readonly ctx: Context) {}

  /** Resolves once an event of any app has a key beyond the position, or when `signal` aborts. */
  beyond(position: bigint, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        position,
        wake: () => {
          this.waiting.delete(waiting);
          signal.removeEventListener('abort', waiting.wake);
          resolve();
        },
      };
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', waiting.wake);
      this.waiting.add(waiting);
      // The look-ups belong to no app: they are for all that wait.
      if (!this.isLooking) void runUnowned(() => this.lookWhileWaiting());
    });
  }

  private async lookWhileWaiting(): Promise<void> {
    this.isLooking = true;
    while (this.waiting.size > 0) {
      await pause(LOOK_AGAIN_MS);
      // While the database is down, calls wait until their time is over.
      const newest = await lastEventKey(this.ctx.database.pool).catch(() => -1n);
      for (const { position, wake } of [...this.waiting]) if (newest > position) wake();
    }
    this.isLooking = false;
  }
}
