import type { Need } from '../../../../console-server/src/operations/instance-start/apps-in-need-shapes.js';
import { placeIn } from '../../frame/address.js';
import type { Environment } from '../../frame/screen.js';

/** The list of an app that shows what was counted. */
const LISTS: Readonly<Record<Need, string>> = {
  links: '/links?state=error',
  events: '/webhooks?status=exhausted',
  receivers: '/webhooks/endpoints',
};

export const NEEDS = Object.keys(LISTS) as Need[];

/** What an address names; links without a name. */
export const needOf = (text: string): Need => NEEDS.find((need) => need === text) ?? 'links';

export const appListOf = (
  need: Need,
  { app_id: app, environment: env }: { app_id: string; environment: Environment },
): string => placeIn({ app, env }, LISTS[need]);

/** The page of the apps behind a number of the instance, which goes on to the list where one app has them all. */
export const appsInNeed = (need: Need): string => `/attention?of=${need}&direct=1`;
