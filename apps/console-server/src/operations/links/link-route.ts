import { z } from 'zod';
import { presentDecision } from '../../../../operator/src/operations/links/present-decision.js';
import { routesForApp } from '../../../../operator/src/operations/links/routes-for-app.js';
import { reasonSentence } from '../../../../operator/src/route-reasons.js';
import { APP_INPUT, id, tenantOf } from '../app-input.js';
import { unknown } from '../not-found.js';
import { operation } from '../operation.js';
import { requireLink } from '../own-rows.js';
import type { LinkRoute } from './link-answers.js';

const MAX_DECISIONS = 20;

export const LINK_ROUTE = operation({
  call: 'GET /apps/:app/:env/links/:link_id/route',
  roles: ['operator', 'app'],
  level: 'read',
  input: z.object({ ...APP_INPUT, link_id: id }),
  run: async ({ service, person }, { link_id: linkId, ...app }): Promise<LinkRoute> => {
    await requireLink(service, tenantOf(app), linkId);
    const read = await service.routes.decisionsOf(linkId, MAX_DECISIONS + 1);
    if (read === null) throw unknown('link_error.not_found');
    return {
      decisions: read.slice(0, MAX_DECISIONS).map((decision) => {
        const routes = person.role === 'app' ? routesForApp(decision.routes) : decision.routes;
        return {
          ...presentDecision(decision),
          routes: routes.map((route) => ({ ...route, sentence: reasonSentence(route) })),
        };
      }),
      is_cut: read.length > MAX_DECISIONS,
    };
  },
});
