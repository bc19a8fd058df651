import { z } from 'zod';
import { readReason } from '../../../../operator/src/reason-option.js';
import { APP_INPUT, id, tenantOf } from '../app-input.js';
import { unknown } from '../not-found.js';
import { operation, OperationRefused } from '../operation.js';
import { requireLink } from '../own-rows.js';
import { readBy } from '../read-by.js';
import type { MovedLink } from './link-answers.js';

export const MOVE_LINK = operation({
  call: 'POST /apps/:app/:env/links/:link_id/move',
  roles: ['operator'],
  level: 'change',
  input: z.object({
    ...APP_INPUT,
    link_id: id,
    provider: id,
    reason: readBy(readReason).optional(),
  }),
  recorded: ({ link_id: linkId, provider, reason }) => ({
    action: 'links move',
    subject: `${linkId} --to ${provider}${reason === undefined ? '' : ` --reason ${reason}`}`,
  }),
  run: async ({ service }, { link_id: linkId, provider, ...app }): Promise<MovedLink> => {
    await requireLink(service, tenantOf(app), linkId);
    const outcome = await service.routes.move(linkId, provider);
    if (outcome === 'no_link') throw unknown('link_error.not_found');
    if (outcome === 'no_route')
      throw new OperationRefused(
        422,
        'console.no_route',
        `${provider} does not reach the institution of this link.`,
      );
    return { link_id: linkId, provider };
  },
});
