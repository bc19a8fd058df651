import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';
import { PayloadRefused } from '../../../platform/src/temporal/payload-place.js';

/**
 * Creates a missing Schedule; aligns an existing one with the settings when `update` is set. Whether
 * it is paused is up to the operator. Several workers may do so concurrently. @returns whether it was created
 */
export async function keepSchedule(
  client: Client,
  { scheduleId, spec, action, policies, state }: ScheduleOptions,
  { update }: { update: boolean },
): Promise<boolean> {
  const create = () => client.schedule.create({ scheduleId, spec, action, policies, state });
  try {
    await create();
    return true;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  if (!update) return false;
  const handle = client.schedule.getHandle(scheduleId);
  try {
    await handle.update((known) => ({ ...known, spec, action, policies }));
    return false;
  } catch (error) {
    // Its arguments are not those of the service: a stranger created it, so it is unusable.
    if (!(error instanceof PayloadRefused)) throw error;
  }
  await handle.delete();
  await create();
  return true;
}
