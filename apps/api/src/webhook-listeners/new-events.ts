import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { Context } from '../../../../prisma/base/context.js';
import { runUnowned } from '../../../../prisma/base/database/work-origin.js';
import { newestEventKeys } from '../../../../prisma/announcements/webhook-log/newest-event-keys.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';

const LOOK_AGAIN_MS = 200;

interface Waiting {
  tenant: Tenant;
  position: bigint;
  wake: () => void;
}

/**
 * Wakes calls that wait for events of their app. One look at the newest key of each app serves all
 * of them, whatever their number, and there is none while no call waits: events announce nothing to
 * listeners.
 */
@Injectable()
export class NewEvents {
  private readonly waiting = new Set<Waiting>();
  private isLooking = false;

  constructor(@Inject(DATABASE_CONTEXT) private readonly ctx: Context) {}

  /** Resolves once the tenant has an event with a key beyond the position, or when `signal` aborts. */
  beyond(tenant: Tenant, position: bigint, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        tenant,
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
      const tenants = new Map([...this.waiting].map(({ tenant }) => [nameOf(tenant), tenant]));
      // While the database is down, calls wait until their time is over.
      const keys = await newestEventKeys(this.ctx.database.pool, [...tenants.values()]).catch(
        () => [],
      );
      const newest = new Map([...tenants.keys()].map((name, index) => [name, keys[index] ?? -1n]));
      for (const { tenant, position, wake } of [...this.waiting])
        if ((newest.get(nameOf(tenant)) ?? -1n) > position) wake();
    }
    this.isLooking = false;
  }
}

const nameOf = ({ appId, environment }: Tenant): string => `${environment}/${appId}`;
