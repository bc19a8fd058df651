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
  /** A call to Temporal that takes longer has failed. */
  deadlineMs?: number;
}

/** The Schedule by which signing keys follow each other. Several workers may agree on it at once. */
export class RotationSchedule {
  private agreed = false;

  constructor(private readonly options: RotationScheduleOptions) {}

  /** @returns how many Schedules were made */
  async ensure(): Promise<number> {
    const { client, everyMs, deadlineMs = 10_000 } = this.options;
    return client.withDeadline(Date.now() + deadlineMs, async () => {
      const made = await keepSchedule(
        client,
        {
          scheduleId: SIGNING_KEY_SCHEDULE,
          spec: { intervals: [{ every: everyMs }] },
          action: signingKeyRotationAction(),
          // A rotation ends with the overlap, which may be longer than the time between two; one that was missed is made up for.
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
