import {
  listAppsInNeed,
  listRefusingApps,
  type AppInNeed,
} from '../../../../../prisma/operations/standing/apps-in-need.js';
import { MAX_COUNTED } from '../../../../../prisma/operations/standing/app-counts.js';
import { operation } from '../operation.js';
import { AppsInNeedInput, type AppsInNeed } from './apps-in-need-shapes.js';

/** Each is looked at in both environments. */
export const MAX_APPS = 100;

export const APPS_IN_NEED = operation({
  call: 'GET /instance/attention',
  roles: ['operator'],
  level: 'read',
  input: AppsInNeedInput,
  run: async ({ service: { database } }, { of, cursor: after = '' }): Promise<AppsInNeed> => {
    if (of === 'receivers') return present(await listRefusingApps(database), null);
    const read = await listAppsInNeed(database, of, { after, limit: MAX_APPS + 1 });
    const ids = [...new Set(read.map(({ appId }) => appId))];
    const isCut = ids.length > MAX_APPS;
    const rows = isCut ? read.filter(({ appId }) => appId !== ids.at(-1)) : read;
    return present(
      rows.filter(({ count }) => count > 0),
      isCut ? (ids.at(-2) ?? null) : null,
    );
  },
});

const present = (apps: readonly AppInNeed[], next: string | null): AppsInNeed => ({
  apps: apps.map(({ appId, ...app }) => ({ app_id: appId, ...app })),
  limit: MAX_COUNTED,
  next_cursor: next,
});
