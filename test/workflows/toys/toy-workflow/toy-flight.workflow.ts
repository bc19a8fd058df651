import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import { DATABASE } from '../../../../workflows/activity-options.js';
import { CurrentDetails } from '../../../../workflows/details/current-details.js';
import type { ToyFlightInput } from './toy-flight.contract.js';

/** The activities of the toy, which a test provides. */
export interface ToyActivities {
  launchToy(toy: string): Promise<number>;
}

export const landedSignal = defineSignal('landed');

export async function toyFlight({ toy }: ToyFlightInput): Promise<{ meters: number }> {
  const { launchToy } = proxyLocalActivities<ToyActivities>(DATABASE);
  const details = new CurrentDetails();
  let hasLanded = false;
  setHandler(landedSignal, () => {
    hasLanded = true;
  });
  const meters = await launchToy(toy);
  details.waitFor(`\`${toy}\` to land`);
  await condition(() => hasLanded);
  details.done();
  return { meters };
}
