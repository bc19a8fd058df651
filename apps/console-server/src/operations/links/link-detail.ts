import { z } from 'zod';
import { showLink } from '../../../../operator/src/operations/links/show-link.js';
import { APP_INPUT, id, tenantOf } from '../app-input.js';
import { unknown } from '../not-found.js';
import { operation } from '../operation.js';
import { requireLink } from '../own-rows.js';
import type { LinkDetail } from './link-answers.js';

const MAX_SESSIONS = 20;

export const LINK_DETAIL = operation({
  call: 'GET /apps/:app/:env/links/:link_id/detail',
  roles: ['operator', 'app'],
  level: 'read',
  input: z.object({ ...APP_INPUT, link_id: id }),
  run: async ({ service }, { link_id: linkId, ...app }): Promise<LinkDetail> => {
    await requireLink(service, tenantOf(app), linkId);
    const shown = await showLink(service, linkId, MAX_SESSIONS);
    if (shown === null) throw unknown('link_error.not_found');
    return shown;
  },
});
