import { z } from 'zod';
import { readFirstSteps } from '../../../../../prisma/operations/standing/first-steps.js';
import { APP_INPUT, tenantOf } from '../app-input.js';
import { operation } from '../operation.js';
import { requireApp } from '../own-rows.js';
import type { StartFacts } from './start-answers.js';

export const START = operation({
  call: 'GET /apps/:app/:env/start',
  roles: ['operator', 'app'],
  level: 'read',
  input: z.object(APP_INPUT),
  run: async ({ service }, app): Promise<StartFacts> => {
    await requireApp(service, tenantOf(app));
    const { keyUsedAt, linked, delivered, repaired, rotated } = await readFirstSteps(
      service.database,
      tenantOf(app),
    );
    return {
      key_used_at: keyUsedAt?.toISOString() ?? null,
      linked: linked && { link_id: linked.linkId, at: linked.at.toISOString() },
      delivered: delivered && { event_id: delivered.eventId, at: delivered.at.toISOString() },
      repaired: repaired && { link_id: repaired.linkId, at: repaired.at.toISOString() },
      rotated: rotated && { client_id: rotated.clientId, at: rotated.at.toISOString() },
    };
  },
});
