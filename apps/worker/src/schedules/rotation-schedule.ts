import { ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import {
  SIGNING_KEY_SCHEDULE,
  signingKeyRotationAction,
} from '../../../../workflows/signing-key-rotation/signing-key-rotation.contract.js';
import { keepSchedule } from './kept-schedule.js';

export interface RotationScheduleOptions {
  client: Client;
  /** SIGNING_KEY_ROTATION, milliseconds. */
  everyMs: number;
  /** A call to Temporal that takes longer fails. */
  deadlineMs?: number;
}

/** The Schedule that rotates signing keys. Several workers may maintain it concurrently. */
export class RotationSchedule {
  private agreed = false;

  constructor(private readonly options: RotationScheduleOptions) {}

  /** @returns the number of Schedules created */
  async ensure(): Promise<number> {
    const { client, everyMs, deadlineMs = 10_000 } = this.options;
    return client.withDeadline(Date.now() + deadlineMs, async () => {
      const made = await keepSchedule(
        client,
        {
          scheduleId: SIGNING_KEY_SCHEDULE,
          spec: { intervals: [{ every: everyMs }] },
          action: signingKeyRotationAction(),
          // A rotation ends with the overlap, which may be longer than the time between two; a missed one is made later.
          policies: {
            overlap: ScheduleOverlapPolicy.ALLOW_ALL,
            catchupWindow: Math.max(everyMs, 60_000),
          },
        },
        { update: !this.agreed },
      );
      this.agreed = true;
      return made ? 1 : 0;
    });
  }
}
