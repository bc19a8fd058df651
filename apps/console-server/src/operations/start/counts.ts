import { z } from 'zod';
import { countApp, MAX_COUNTED } from '../../../../../prisma/operations/standing/app-counts.js';
import { APP_INPUT, tenantOf } from '../app-input.js';
import { operation } from '../operation.js';
import { requireApp } from '../own-rows.js';
import type { Counts } from './start-answers.js';

export const COUNTS = operation({
  call: 'GET /apps/:app/:env/counts',
  roles: ['operator', 'app'],
  level: 'read',
  input: z.object(APP_INPUT),
  run: async ({ service }, app): Promise<Counts> => {
    await requireApp(service, tenantOf(app));
    const { linksInError, events, sessions } = await countApp(service.database, tenantOf(app));
    return { links_in_error: linksInError, events, sessions, limit: MAX_COUNTED };
  },
});
