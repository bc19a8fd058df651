import { unknownApp } from '../../../../operator/src/operations/pairs/create-pair.js';
import { presentBound } from '../../../../operator/src/operations/apps/present-bound.js';
import { operation } from '../operation.js';
import { refused } from '../refused.js';
import { AppInput, type AppOverview } from './app-shapes.js';

export const APP_OVERVIEW = operation({
  call: 'GET /apps/:app/overview',
  roles: ['operator', 'app'],
  level: 'read',
  input: AppInput,
  run: async ({ service: { applications, appUse } }, { app: appId }): Promise<AppOverview> => {
    const app = await applications.getApplication(appId);
    if (app === null) return refused(unknownApp(appId));
    const uses = await appUse.ofApp(appId);
    return {
      app_id: app.appId,
      name: app.name,
      logo_url: app.logoUrl,
      country: app.country,
      redirect_origins: app.redirectOrigins,
      page_origins: app.pageOrigins,
      features: app.features,
      live_listening: app.liveListening,
      created_at: app.createdAt.toISOString(),
      bounds: uses.map(presentBound).map(({ bound: name, ...use }) => ({ name, ...use })),
    };
  },
});
