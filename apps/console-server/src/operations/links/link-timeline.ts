import { z } from 'zod';
import { CursorKeys } from '../../../../../prisma/base/keys/cursor-key.repository.js';
import { openPlace, sealPlace } from '../../../../../prisma/base/keys/list-cursor.js';
import {
  decodeTimelinePosition,
  encodeTimelinePosition,
  type TimelinePosition,
} from '../../../../../prisma/links/timeline/timeline-position.js';
import { readKinds } from '../../../../operator/src/commands/links/link-timeline-command.js';
import { showTimeline } from '../../../../operator/src/operations/links/show-timeline.js';
import { APP_INPUT, id, tenantOf } from '../app-input.js';
import { unknown } from '../not-found.js';
import { operation, OperationRefused } from '../operation.js';
import { requireLink } from '../own-rows.js';
import { readBy } from '../read-by.js';
import type { LinkTimeline } from './link-answers.js';

const MAX_CURSOR = 1_000;

export const LINK_TIMELINE = operation({
  call: 'GET /apps/:app/:env/links/:link_id/timeline',
  roles: ['operator', 'app'],
  level: 'read',
  input: z.object({
    ...APP_INPUT,
    link_id: id,
    kinds: readBy(readKinds).optional(),
    before: z.string().max(MAX_CURSOR).optional(),
  }),
  run: async (
    { service, person },
    { link_id: linkId, kinds, before, ...app },
  ): Promise<LinkTimeline> => {
    await requireLink(service, tenantOf(app), linkId);
    const keys = new CursorKeys(service.context);
    await keys.ensure();
    const list = `timeline/${linkId}`;
    const shown = await showTimeline(service, linkId, {
      kinds,
      before: before === undefined ? null : openPosition(keys, list, before),
      readerOfApp: person.role === 'app' ? person.actor : undefined,
      encode: (position) => sealPlace(keys, list, Buffer.from(encodeTimelinePosition(position))),
    });
    if (shown === null) throw unknown('link_error.not_found');
    return shown;
  },
});

/** Sealed, because it holds keys of rows, which count those of all apps. */
function openPosition(keys: CursorKeys, list: string, text: string): TimelinePosition {
  const place = openPlace(keys, list, text);
  const position = place === null ? null : decodeTimelinePosition(place.toString());
  if (position === null)
    throw new OperationRefused(422, 'console.wrong_value', 'Not a position of this timeline.');
  return position;
}
