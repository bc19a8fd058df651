import { ScheduleNotFoundError, ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import {
  CATALOG_SYNC_PREFIX,
  catalogSyncAction,
  catalogSyncId,
} from '../../../../workflows/catalog-sync/catalog-sync.contract.js';
import { keepSchedule } from './kept-schedule.js';

export interface CatalogSchedulesOptions {
  client: Client;
  /** The configurations currently in use. */
  names: () => Promise<readonly string[]>;
  everyMs?: number;
  /** A call to Temporal that takes longer fails. */
  deadlineMs?: number;
}

const DAY_MS = 86_400_000;
/** Spreads the syncs of several configurations, and of several installations over the sources. */
const JITTER = '1 hour';

/**
 * One Schedule per configuration, `catalog-sync/<configuration>`. A
 * new one starts its first sync immediately. Several workers may maintain them concurrently.
 */
export class CatalogSchedules {
  private readonly agreed = new Set<string>();

  constructor(private readonly options: CatalogSchedulesOptions) {}

  /** Creates missing Schedules and removes those of other configurations. @returns the number created */
  async ensure(): Promise<number> {
    const { client, names, everyMs = DAY_MS, deadlineMs = 10_000 } = this.options;
    return client.withDeadline(Date.now() + deadlineMs, async () => {
      const wanted = new Set(await names());
      let made = 0;
      for (const name of wanted) {
        const isMade = await keepSchedule(
          client,
          {
            scheduleId: catalogSyncId(name),
            spec: { intervals: [{ every: everyMs }], jitter: JITTER },
            action: catalogSyncAction(name),
            policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' },
            state: { triggerImmediately: true },
          },
          { update: !this.agreed.has(name) },
        );
        if (isMade) made += 1;
        this.agreed.add(name);
      }
      await this.removeOthers(wanted);
      return made;
    });
  }

  private async removeOthers(wanted: ReadonlySet<string>): Promise<void> {
    const { client } = this.options;
    for await (const { scheduleId } of client.schedule.list()) {
      if (!scheduleId.startsWith(CATALOG_SYNC_PREFIX)) continue;
      const name = scheduleId.slice(CATALOG_SYNC_PREFIX.length);
      if (wanted.has(name)) continue;
      this.agreed.delete(name);
      try {
        await client.schedule.getHandle(scheduleId).delete();
      } catch (error) {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      }
    }
  }
}
