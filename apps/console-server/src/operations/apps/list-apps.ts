import { listApplications } from '../../../../../prisma/tenants/applications/application-page.js';
import { operation } from '../operation.js';
import { cutPage, PAGE_SIZE } from '../page-size.js';
import { AppListInput, type AppPage } from './app-shapes.js';

export const LIST_APPS = operation({
  call: 'GET /instance/apps',
  roles: ['operator'],
  level: 'read',
  input: AppListInput,
  run: async ({ service: { database } }, { cursor: after = '' }): Promise<AppPage> => {
    const read = await listApplications(database, { after, limit: PAGE_SIZE + 1 });
    const { rows, next } = cutPage(read, PAGE_SIZE, ({ appId }) => appId);
    const apps = rows.map(({ appId, name, createdAt }) => ({
      app_id: appId,
      name,
      created_at: createdAt.toISOString(),
    }));
    return { apps, next_cursor: next };
  },
});
