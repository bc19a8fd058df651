import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';

/**
 * Makes a Schedule that is missing; brings one that is there to what the settings say when `update` asks for it. Whether
 * it is paused is up to the operator. Several workers may do so at once. @returns whether it was made
 */
export async function keepSchedule(
  client: Client,
  { scheduleId, spec, action, policies, state }: ScheduleOptions,
  { update }: { update: boolean },
): Promise<boolean> {
  try {
    await client.schedule.create({ scheduleId, spec, action, policies, state });
    return true;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  if (update)
    await client.schedule
      .getHandle(scheduleId)
      .update((known) => ({ ...known, spec, action, policies }));
  return false;
}
