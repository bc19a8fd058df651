import {
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import {
  periodicAggregationAction,
  periodicAggregationId,
} from '../../../../workflows/periodic-aggregation/periodic-aggregation.contract.js';
import { keepSchedule } from './kept-schedule.js';

export interface AggregationSchedulesOptions {
  client: Client;
  /** AGGREGATION_TICK, milliseconds. */
  tickMs: number;
  /** AGGREGATION_SHARDS. */
  shards: number;
  /** A call to Temporal that takes longer fails. */
  deadlineMs?: number;
}

/** Links in one database transaction, so that its statements take milliseconds. */
const BATCH = 10;
/** Lasting a second each. */
const MAX_ROUNDS = 50;
/** A tick that was missed for longer is skipped: the next one collects the due links. */
const CATCH_UP = '2 minutes';

/** One Schedule per shard, `periodic-aggregation/<shard>`. Several workers may maintain them concurrently. */
export class AggregationSchedules {
  private agreed = false;

  constructor(private readonly options: AggregationSchedulesOptions) {}

  /**
   * Aligns the Schedules with the settings, the first time, and later restores missing ones. Whether one is
   * paused is up to the operator. Returns the number of Schedules created.
   */
  async ensure(): Promise<number> {
    const { client, shards, deadlineMs = 10_000 } = this.options;
    return client.withDeadline(Date.now() + deadlineMs, async () => {
      let made = 0;
      for (let shard = 0; shard < shards; shard += 1) {
        if (await keepSchedule(client, this.definition(shard), { update: !this.agreed })) made += 1;
      }
      if (!this.agreed) await this.removeFrom(shards);
      this.agreed = true;
      return made;
    });
  }

  /** Schedules of settings with more shards. */
  private async removeFrom(first: number): Promise<void> {
    for (let shard = first; ; shard += 1) {
      try {
        await this.options.client.schedule.getHandle(periodicAggregationId(shard)).delete();
      } catch (error) {
        if (error instanceof ScheduleNotFoundError) return;
        throw error;
      }
    }
  }

  private definition(shard: number) {
    const { tickMs, shards } = this.options;
    return {
      scheduleId: periodicAggregationId(shard),
      spec: { intervals: [{ every: tickMs, offset: Math.floor((tickMs * shard) / shards) }] },
      action: periodicAggregationAction({ shard, shards, batch: BATCH, maxRounds: MAX_ROUNDS }),
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP },
    } satisfies ScheduleOptions;
  }
}
