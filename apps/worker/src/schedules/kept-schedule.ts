import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';
import { PayloadRefused } from '../../../platform/src/temporal/payload-place.js';

/**
 * Makes a Schedule that is missing; brings one that is there to what the settings say when `update` asks for it. Whether
 * it is paused is up to the operator. Several workers may do so at once. @returns whether it was made
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
    // Its arguments are not those of the service: what a stranger made is no use.
    if (!(error instanceof PayloadRefused)) throw error;
  }
  await handle.delete();
  await create();
  return true;
}
